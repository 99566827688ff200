{#- dbt-spark's materializations, with both kinds of hooks around them. The view must exist under this adapter's name
    for `dbt clone`, which would otherwise fall back to a rename-and-swap that Spark cannot do. -#}

{% materialization table, adapter='trickle', supported_languages=['sql'] %}
  {% do adapter.trickle_refuse_clash(model, graph, invocation_id) %}
  {% do trickle_run_hooks_of_sort(pre_hooks, false) %}
  {% do trickle_retire_stream_table(this) %}
  {% set built = materialization_table_spark() %}
  {% do trickle_drop_retired_storage(this) %}
  {% do trickle_run_hooks_of_sort(post_hooks, false) %}
  {{ return(built) }}
{% endmaterialization %}

{% materialization incremental, adapter='trickle', supported_languages=['sql'] %}
  {% do adapter.trickle_refuse_clash(model, graph, invocation_id) %}
  {% do trickle_run_hooks_of_sort(pre_hooks, false) %}
  {% do trickle_retire_stream_table(this) %}
  {% set built = materialization_incremental_spark() %}
  {% do trickle_drop_retired_storage(this) %}
  {% do trickle_run_hooks_of_sort(post_hooks, false) %}
  {{ return(built) }}
{% endmaterialization %}

{% materialization view, adapter='trickle', supported_languages=['sql'] %}
  {% do adapter.trickle_refuse_clash(model, graph, invocation_id) %}
  {% do trickle_run_hooks_of_sort(pre_hooks, false) %}
  {% do trickle_retire_stream_table(this) %}
  {% set built = materialization_view_spark() %}
  {% do trickle_drop_retired_storage(this) %}
  {% do trickle_run_hooks_of_sort(post_hooks, false) %}
  {{ return(built) }}
{% endmaterialization %}

{% materialization seed, adapter='trickle' %}
  {% do adapter.trickle_refuse_clash(model, graph, invocation_id) %}
  {{ return(materialization_seed_default()) }}
{% endmaterialization %}

{% materialization snapshot, adapter='trickle' %}
  {% do adapter.trickle_refuse_clash(model, graph, invocation_id) %}
  {{ return(materialization_snapshot_spark()) }}
{% endmaterialization %}

{#- dbt's own clone rather than dbt-spark's, which clones a table onto itself. -#}
{% materialization clone, adapter='trickle' %}
  {% do adapter.trickle_refuse_clash(model, graph, invocation_id) %}
  {{ return(materialization_clone_default()) }}
{% endmaterialization %}

{#- Delta outside Databricks does not replace a table that has rows by a clone, so `dbt clone --full-refresh` drops it
    first; dbt's own clone has made sure that it is not the table to be cloned. -#}
{% macro trickle__create_or_replace_clone(this_relation, defer_relation) %}
  {% do run_query('drop table if exists ' ~ this_relation) %}
  create table {{ this_relation }} shallow clone {{ defer_relation }}
{% endmacro %}
