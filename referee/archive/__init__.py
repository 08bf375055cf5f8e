"""The archive: what is told of a record (show, verify, slip, summary, exchange, restoring).

It imports store, journal, hall and kernel and returns values or text.
Serving, web and the commands may enter.
"""
