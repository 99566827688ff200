"""What follows from who reads whom: calculated schedules, what is due together, and circles."""
