"""When a table is due: schedules as sequences of slots, judged against the instant a run started. No clock is read."""
