"""Name resolution: columns, stars, fields of structs."""
