"""Everything that looks through a camera."""

import os

# small products of matrices are quicker on one thread, and the table's other work needs the rest
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
