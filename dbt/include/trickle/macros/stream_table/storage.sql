{#- The Delta table behind the view. -#}

{% macro trickle_storage_ddl(refresh, select_sql) %}
  {%- set layout = refresh.layout -%}
  create or replace table {{ refresh.storage }}
  using delta
  tblproperties ({{ trickle_property_list(refresh.create_properties) }})
  {{ trickle_column_list('partitioned by', layout.partition_by) }}
  {{ trickle_column_list('cluster by', layout.cluster_by) }}
  {%- if layout.location %}
  location {{ trickle_string_literal(layout.location) }}
  {%- endif %}
  as
  {{ select_sql }}
{% endmacro %}

{% macro trickle_set_properties(storage, properties) %}
  {% call statement('set_properties') %}
    alter table {{ storage }} set tblproperties ({{ trickle_property_list(properties) }})
  {% endcall %}
{% endmacro %}

{% macro trickle_property_list(properties) %}
  {%- for name, value in properties.items() -%}
    {{ trickle_string_literal(name) }} = {{ trickle_string_literal(value) }}{{ ', ' if not loop.last }}
  {%- endfor -%}
{% endmacro %}

{% macro trickle_column_list(label, columns) %}
  {%- if columns -%}
    {{ label }} ({% for column in columns %}{{ adapter.quote(column) }}{{ ', ' if not loop.last }}{% endfor %})
  {%- endif -%}
{% endmacro %}

{#- Each of these is a Delta commit that readers must look at: only what differs. -#}
{% macro trickle_alter_storage(refresh) %}
  {% if refresh.change.properties %}
    {{ trickle_run_step(refresh, 'alter', 'properties changed',
        'alter table ' ~ refresh.storage ~ ' set tblproperties (' ~ trickle_property_list(refresh.change.properties) ~ ')') }}
  {% endif %}
  {% if refresh.change.cluster_by is not none %}
    {% set columns = trickle_column_list('cluster by', refresh.change.cluster_by) or 'cluster by none' %}
    {{ trickle_run_step(refresh, 'alter', 'clustering changed', 'alter table ' ~ refresh.storage ~ ' ' ~ columns) }}
  {% endif %}
{% endmacro %}

{#- Delta takes NOT NULL of a filled table as a check only. Other kinds of constraint nothing here enforces: dbt warns. -#}
{% macro trickle_enforce_constraints(refresh) %}
  {% for constraint in refresh.checks %}
    {{ trickle_run_step(refresh, 'alter', 'constraint of the contract',
        'alter table ' ~ refresh.storage ~ ' add constraint ' ~ adapter.quote(constraint.name)
        ~ ' check (' ~ constraint.expression ~ ')') }}
  {% endfor %}
{% endmacro %}
