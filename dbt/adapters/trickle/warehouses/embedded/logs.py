"""Spark's log configuration: a rolling file in the warehouse, nothing on the console."""

from __future__ import annotations

from pathlib import Path

CONFIGURATION = """\
status = off
rootLogger.level = warn
rootLogger.appenderRef.file.ref = file
appender.file.type = RollingFile
appender.file.name = file
appender.file.fileName = {log}
appender.file.filePattern = {log}.%i
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{{yyyy-MM-dd HH:mm:ss.SSS}} %p [%t] %c{{1}}: %m%n%ex
appender.file.policies.type = Policies
appender.file.policies.size.type = SizeBasedTriggeringPolicy
appender.file.policies.size.size = 10MB
appender.file.strategy.type = DefaultRolloverStrategy
appender.file.strategy.max = 3
"""


def write_log_configuration(folder: Path, log: Path) -> Path:
    path = folder / "log4j2.properties"
    path.write_text(CONFIGURATION.format(log=str(log).replace("\\", "\\\\")), "utf-8")
    return path
