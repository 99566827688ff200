{#- The stored rows equal the SELECT at the versions they reflect, as a multiset. Fails with the rows that differ. -#}
{% test stream_table_exact(model) %}
  {{ adapter.trickle_exact_check(model) if execute else 'select 1 where false' }}
{% endtest %}
