"""Parts of the hall: where rules, record, reader, lights and screens meet (see ``referee/table.py``)."""
