{#- The rows are no older than `max_lag`, or than the schedule allows. Fails with one row that says how old they are. -#}
{% test stream_table_fresh(model, max_lag=none) %}
  {% set late = adapter.trickle_overdue(model, graph, max_lag) if execute else none %}
  {% if late is none %}
    select 1 where false
  {% else %}
    select
    {%- for name, value in late.items() %}
      {{ trickle_string_literal(value) }} as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
  {% endif %}
{% endtest %}
