{#- Comments as Spark string literals; dbt-spark escapes the quote but not the backslash before it. -#}

{% macro trickle_string_literal(text) %}
  {{- return("'" ~ (text | replace('\\', '\\\\') | replace("'", "\\'")) ~ "'") -}}
{% endmacro %}

{% macro trickle__comment_clause() %}
  {%- if config.persist_relation_docs() and model.description -%}
    comment {{ trickle_string_literal(model.description) }}
  {%- endif -%}
{% endmacro %}

{#- Only columns whose comment differs: each of these statements is a Delta commit that readers must read. -#}
{% macro trickle__alter_column_comment(relation, column_dict) %}
  {% set present = {} %}
  {% for row in run_query('describe table ' ~ relation).rows if row[0] and not row[0].startswith('#') %}
    {% do present.setdefault(row[0] | lower, row[2] or '') %}
  {% endfor %}
  {% for name in column_dict %}
    {% set wanted = column_dict[name]['description'] or '' %}
    {% if present.get(name | lower, '') != wanted %}
      {% set column = adapter.quote(name) if column_dict[name]['quote'] else name %}
      {% do run_query('alter table ' ~ relation ~ ' change column ' ~ column ~ ' comment ' ~ trickle_string_literal(wanted)) %}
    {% endif %}
  {% endfor %}
{% endmacro %}
