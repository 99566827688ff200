"""From a plan to the plan of its change, and what must be stored so that the change can be applied."""
