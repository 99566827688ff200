"""When a table is due: schedules as sequences of slots, compared with the instant a run started. Reads no clock."""
