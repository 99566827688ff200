{#- dbt has two sorts of hook, inside and outside a transaction. Spark knows no transactions, so the sorts differ only
    in their order around the model: outside, inside, model, inside, outside. dbt's own `run_hooks` opens the second
    sort with a `commit`, and dbt-spark leaves that sort out for tables, incrementals and views. -#}

{% macro trickle_run_pre_hooks(hooks) %}
  {% do trickle_run_hooks_of_sort(hooks, false) %}
  {% do trickle_run_hooks_of_sort(hooks, true) %}
{% endmacro %}

{% macro trickle_run_post_hooks(hooks) %}
  {% do trickle_run_hooks_of_sort(hooks, true) %}
  {% do trickle_run_hooks_of_sort(hooks, false) %}
{% endmacro %}

{% macro trickle_run_hooks_of_sort(hooks, inside_transaction) %}
  {% for hook in hooks | selectattr('transaction', 'equalto', inside_transaction) %}
    {% set rendered = render(hook.get('sql')) | trim %}
    {% if rendered %}
      {% call statement(auto_begin=false) %}{{ rendered }}{% endcall %}
    {% endif %}
  {% endfor %}
{% endmacro %}
