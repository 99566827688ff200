"""A dbt project as dbt last compiled it, read without dbt: its nodes, its profile, and the folders of its tables.

dbt takes two seconds to import and its parser more; the manifest that dbt writes has all that is needed here.
"""

from dbt.adapters.trickle.project.errors import ProjectError
from dbt.adapters.trickle.project.load import load_project
from dbt.adapters.trickle.project.nodes import Node, nodes_of
from dbt.adapters.trickle.project.project import Project

__all__ = ["Node", "Project", "ProjectError", "load_project", "nodes_of"]
