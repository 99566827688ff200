{#- A contract's constraints. Delta outside Databricks cannot make an existing column NOT NULL, which is what dbt-spark
    asks for; a check constraint enforces the same, on the rows that are there and on all that follow. -#}
{% macro trickle__alter_column_set_constraints(relation, column_dict) %}
  {% for name in column_dict %}
    {% for constraint in column_dict[name]['constraints'] or [] %}
      {% if constraint.type in ('not_null', 'check') %}
        {% set condition = (adapter.quote(name) ~ ' is not null') if constraint.type == 'not_null' else constraint.expression %}
        {% set label = constraint.name or ('dbt_' ~ local_md5(name ~ ';' ~ condition ~ ';' ~ loop.index)) %}
        {% call statement() %}
          alter table {{ relation }} add constraint {{ label }} check ({{ condition }})
        {% endcall %}
      {% else %}
        {% do exceptions.warn('The ' ~ constraint.type ~ ' constraint on column ' ~ name ~ ' of ' ~ relation
            ~ ' is not enforced: Delta enforces `not_null` and `check`; use a data test for the others.') %}
      {% endif %}
    {% endfor %}
  {% endfor %}
{% endmacro %}
