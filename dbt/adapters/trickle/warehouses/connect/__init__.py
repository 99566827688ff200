"""A Spark reached over the network by Spark Connect.

It is a Session for tests and for `verify`; no profile can name it yet. Missing for users: `method: connect` with
authentication and TLS, a catalog of sources that asks the session where it now reads the warehouse's folder, a Memory
on the server's side, and the lock that keeps two runs of dbt out of one warehouse.
"""
