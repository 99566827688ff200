"""Families of Spark's and Delta's settings that cannot change the result of a query.

A setting in none of them is relevant: it is part of the contract. A setting belongs in this list only if rows that
were computed with any two of its values may be in one table.
"""

from __future__ import annotations

EXECUTION = """
spark.sql.adaptive spark.sql.addPartitionInBatch spark.sql.autoBroadcastJoinThreshold spark.sql.broadcastExchange
spark.sql.broadcastTimeout spark.sql.bucketing spark.sql.cartesianProductExec spark.sql.cbo spark.sql.codegen
spark.sql.columnVector spark.sql.exchange spark.sql.execution.broadcastHashJoin
spark.sql.execution.datasources.hadoopLineRecordReader spark.sql.execution.interruptOnCancel
spark.sql.execution.rangeExchange spark.sql.execution.removeRedundantSorts spark.sql.execution.replaceHashWithSortAgg
spark.sql.execution.reuseSubquery spark.sql.execution.sortBeforeRepartition
spark.sql.execution.topKSortFallbackThreshold spark.sql.execution.useObjectHashAggregateExec
spark.sql.execution.usePartitionEvaluator spark.sql.files.maxPartitionBytes spark.sql.files.maxPartitionNum
spark.sql.files.maxRecordsPerFile spark.sql.files.minPartitionNum spark.sql.files.openCostInBytes
spark.sql.inMemoryColumnarStorage spark.sql.join.preferSortMergeJoin spark.sql.leafNodeDefaultParallelism
spark.sql.maxBroadcastTableSize spark.sql.maxConcurrentOutputFileWriters spark.sql.maxSinglePartitionBytes
spark.sql.objectHashAggregate spark.sql.optimizer.dynamicPartitionPruning spark.sql.optimizer.runtime
spark.sql.optimizer.runtimeFilter spark.sql.planner spark.sql.requireAllClusterKeysForCoPartition
spark.sql.requireAllClusterKeysForDistribution spark.sql.resultQueryStage spark.sql.sessionWindow
spark.sql.session.localRelationBatchOfChunksSizeBytes spark.sql.session.localRelationCacheThreshold
spark.sql.session.localRelationChunkSizeBytes spark.sql.session.localRelationChunkSizeLimit
spark.sql.session.localRelationChunkSizeRows spark.sql.session.localRelationSizeLimit spark.sql.shuffle
spark.sql.shuffleDependency spark.sql.shuffleExchange spark.sql.shuffledHashJoinFactor spark.sql.sort
spark.sql.sortMergeJoinExec spark.sql.subexpressionElimination spark.sql.subquery spark.sql.unionOutputPartitioning
spark.sql.window spark.sql.windowExec
spark.sql.execution.arrow.maxBytesPerBatch spark.sql.execution.arrow.maxBytesPerOutputBatch
spark.sql.execution.arrow.maxRecordsPerBatch spark.sql.execution.arrow.maxRecordsPerOutputBatch
spark.sql.execution.pandas.udf.buffer spark.sql.execution.pyspark.udf spark.sql.execution.python.udf.buffer
spark.sql.execution.python.udf.maxRecordsPerBatch spark.sql.execution.pythonUDF.arrow.concurrency
"""
"""Number of partitions, algorithms, batch sizes."""

CACHES = """
spark.sql.artifact spark.sql.cache spark.sql.dataframeCache spark.sql.defaultCacheStorageLevel
spark.sql.defaultSizeInBytes spark.sql.filesourceTableRelationCacheSize spark.sql.hive.filesourcePartitionFileCacheSize
spark.sql.hive.gatherFastStats spark.sql.inMemoryTableScanStatistics spark.sql.metadataCacheTTLSeconds
spark.sql.parser.manageParserCaches spark.sql.parser.parserDfaCacheFlushRatio
spark.sql.parser.parserDfaCacheFlushThreshold spark.sql.statistics
"""
"""Caches, and estimates that only choose between plans."""

OUTPUT = """
spark.sql.cli spark.sql.connect spark.sql.classic spark.sql.dataFrameQueryContext spark.sql.debug spark.sql.error
spark.sql.event spark.sql.expressionTreeChangeLog spark.sql.extendedExplainProviders
spark.sql.lightweightPlanChangeValidation spark.sql.maxMetadataStringLength spark.sql.maxPlanStringLength
spark.sql.nameResolutionLog spark.sql.planChangeLog spark.sql.planChangeValidation spark.sql.queryExecutionListeners
spark.sql.redaction spark.sql.repl spark.sql.stackTracesInDataFrameContext spark.sql.thriftServer
spark.sql.hive.thriftServer spark.sql.thriftserver spark.sql.ui
"""
"""Output on a console, in a browser, in logs and in errors."""

CATALOGS = """
spark.sql.catalog spark.sql.catalogImplementation spark.sql.defaultCatalog spark.sql.extensions
spark.sql.globalTempDatabase spark.sql.hive.metastore spark.sql.hive.version spark.sql.maven spark.sql.warehouse
"""
"""Catalogs and paths: another table is noticed by its id. Some are passwords, which stamps must not contain."""

FILE_FORMATS = """
spark.sql.avro.compression spark.sql.avro.deflate spark.sql.avro.xz spark.sql.avro.zstandard
spark.sql.orc.columnarReaderBatchSize spark.sql.orc.columnarWriterBatchSize spark.sql.orc.compression
spark.sql.parquet.columnarReaderBatchSize spark.sql.parquet.compression spark.sql.parquet.output.committer
spark.sql.sources.bucketing spark.sql.sources.commitProtocolClass spark.sql.sources.default
spark.sql.sources.fileCompressionFactor spark.sql.sources.ignoreDataLocality spark.sql.sources.outputCommitterClass
spark.sql.sources.parallelPartitionDiscovery spark.sql.sources.schemaStringLengthThreshold
spark.sql.sources.useListFilesFileSystemList spark.sql.sources.v2.bucketing
"""
"""The bytes of files, not their rows."""

STREAMING = "spark.sql.pipelines spark.sql.streaming"
"""Settings of streaming queries; a refresh is none."""

SET_BY_US = """
spark.sql.parquet.fieldId spark.sql.sources.partitionOverwriteMode
spark.databricks.delta.commitInfo spark.databricks.delta.lastCommitVersionInSession
spark.databricks.delta.write.txnAppId spark.databricks.delta.write.txnVersion
"""
"""Set by Delta in every session, or by a refresh for itself."""

DELTA = """
spark.databricks.delta.allFilesInCrc spark.databricks.delta.alwaysCollectStats spark.databricks.delta.amt
spark.databricks.delta.autoCompact spark.databricks.delta.backfill spark.databricks.delta.catalog
spark.databricks.delta.checkpoint spark.databricks.delta.checkpointV2 spark.databricks.delta.collectStats
spark.databricks.delta.commitLock spark.databricks.delta.commitMetrics spark.databricks.delta.commitStats
spark.databricks.delta.coordinatedCommits spark.databricks.delta.delta.log spark.databricks.delta.dmlMetricsFromMetadata
spark.databricks.delta.fileSizeHistogramMetrics spark.databricks.delta.history spark.databricks.delta.lastCheckpoint
spark.databricks.delta.maxCommitAttempts spark.databricks.delta.maxNonConflictCommitAttempts
spark.databricks.delta.maxSnapshotLineageLength spark.databricks.delta.merge.deletionVectors
spark.databricks.delta.merge.materializeSource spark.databricks.delta.merge.optimizeInsertOnlyMerge
spark.databricks.delta.merge.optimizeMatchedOnlyMerge spark.databricks.delta.delete.deletionVectors
spark.databricks.delta.update.deletionVectors spark.databricks.delta.skipping
spark.databricks.delta.deletionVectors.packing
spark.databricks.delta.merge.repartitionBeforeWrite spark.databricks.delta.metrics spark.databricks.delta.optimize
spark.databricks.delta.optimizeWrite spark.databricks.delta.properties.defaults
spark.databricks.delta.retentionDurationCheck spark.databricks.delta.snapshot spark.databricks.delta.snapshotCache
spark.databricks.delta.snapshotLoading spark.databricks.delta.snapshotPartitions spark.databricks.delta.stalenessLimit
spark.databricks.delta.stats spark.databricks.delta.streaming spark.databricks.delta.vacuum
spark.databricks.delta.versionChecksum spark.databricks.delta.writeChecksumFile spark.databricks.io.skipping.mdc
"""
"""Delta's logs and file layout; defaults of new tables are part of their definition."""

FAMILIES = frozenset(
    " ".join(
        (
            EXECUTION,
            CACHES,
            OUTPUT,
            CATALOGS,
            FILE_FORMATS,
            STREAMING,
            SET_BY_US,
            DELTA,
        )
    ).split()
)
PREFIXES = ("spark.sql.", "spark.databricks.")
"""Prefixes of the settings of queries and of Delta. All others describe the machine and its resources."""


def is_relevant(key: str) -> bool:
    """Whether results may depend on a setting."""
    if not key.startswith(PREFIXES):
        return False
    parts = key.split(".")
    return not any(".".join(parts[:length]) in FAMILIES for length in range(3, len(parts) + 1))
