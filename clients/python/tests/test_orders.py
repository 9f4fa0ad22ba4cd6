from uuid import uuid4

from orders import AuthenticatedClient, models
from orders.api.orders import create_order, list_orders, read_order


def test_an_order_is_placed_read_and_listed(orders_client: AuthenticatedClient) -> None:
    line = models.NewLine(sku="room-s", name="Small room", quantity=2, unit_minor=2900)
    body = models.CreateOrder(lines=[line], payment_method="card", expected_total_minor=5800)
    placed = create_order.sync(client=orders_client, body=body, idempotency_key=str(uuid4()))
    assert placed is not None and not isinstance(placed, models.ErrorBody)
    assert isinstance(placed.data, models.Order)
    read = read_order.sync(placed.data.id, client=orders_client)
    assert read is not None and not isinstance(read, models.ErrorBody)
    assert read.data == placed.data
    page = list_orders.sync(client=orders_client, limit=1)
    assert page is not None and not isinstance(page, models.ErrorBody)
    assert [order.id for order in page.data] == [placed.data.id]


def test_what_does_not_add_up_is_refused_at_its_place(orders_client: AuthenticatedClient) -> None:
    line = models.NewLine(sku="room-s", name="Small room", quantity=1, unit_minor=29)
    body = models.CreateOrder(lines=[line], payment_method="card", discount_minor=30)
    refused = create_order.sync(client=orders_client, body=body, idempotency_key=str(uuid4()))
    assert isinstance(refused, models.ErrorBody)
    action = refused.error.next_action
    assert isinstance(action, models.NextActionCorrectRequest)
    assert [problem.at for problem in action.problems] == ["/discount_minor"]
