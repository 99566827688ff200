"""on_configuration_change: what happens when the model differs from the table that was built."""

from dbt.adapters.trickle.options.key import Key, one_of

ON_CONFIGURATION_CHANGE = Key(
    "on_configuration_change", "apply", one_of("on_configuration_change", "apply", "continue", "fail")
)
