"""The running stack, and a client of each of its services."""

import json
import os
from pathlib import Path
from typing import Any

import cloud
import locker
import orders
import pytest
import trust


@pytest.fixture(scope="session")
def stack() -> dict[str, Any]:
    """The content of stack.json."""
    read: dict[str, Any] = json.loads(Path(os.environ["STACK"]).read_text())
    return read


@pytest.fixture
def cloud_client(stack: dict[str, Any]) -> cloud.AuthenticatedClient:
    return cloud.AuthenticatedClient(stack["surfaces"]["cloud"]["base_url"], stack["tokens"]["cloud"]["ada"])


@pytest.fixture
def other_member(stack: dict[str, Any]) -> cloud.AuthenticatedClient:
    """Another member of the same workspace."""
    return cloud.AuthenticatedClient(stack["surfaces"]["cloud"]["base_url"], stack["tokens"]["cloud"]["bob"])


@pytest.fixture
def locker_client(stack: dict[str, Any]) -> locker.AuthenticatedClient:
    return locker.AuthenticatedClient(stack["surfaces"]["locker"]["base_url"], stack["tokens"]["locker"]["owner"])


@pytest.fixture
def orders_client(stack: dict[str, Any]) -> orders.AuthenticatedClient:
    return orders.AuthenticatedClient(stack["surfaces"]["orders"]["base_url"], stack["tokens"]["orders"]["owner"])


@pytest.fixture
def trust_client(stack: dict[str, Any]) -> trust.Client:
    return trust.Client(stack["surfaces"]["trust"]["base_url"])
