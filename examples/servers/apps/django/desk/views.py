"""
The desk's views.
"""

from __future__ import annotations

import json
import logging
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from desk.models import Order, Product, Receipt

log = logging.getLogger("desk")


def page(request: HttpRequest) -> HttpResponse:
    """The page."""
    return render(request, "desk.html")


def script(_request: HttpRequest) -> FileResponse:
    """The page's script."""
    return FileResponse((settings.BASE_DIR / "desk.js").open("rb"), content_type="text/javascript")


def show(_request: HttpRequest) -> JsonResponse:
    """All that the page shows."""
    orders = [
        {"id": order.pk, "product": order.product_id, "quantity": order.quantity, "state": order.state}
        for order in Order.objects.order_by("id")
    ]
    return JsonResponse({"orders": orders, "stock": list(Product.objects.values("stock", product=F("name")))})


def confirm(number: int, email: str) -> None:
    """Tell a customer that the order was taken."""
    send_mail(f"Order {number}", "We have your order.", "desk@example.test", [email])


@require_POST
def place(request: HttpRequest) -> JsonResponse:
    """Take an order, take it off the stock, write to the customer."""
    wish = json.loads(request.body)
    product, quantity, email = wish["product"], wish["quantity"], wish["email"]
    with transaction.atomic():
        Product.objects.filter(name=product).update(stock=F("stock") - quantity)
        order = Order.objects.create(product_id=product, quantity=quantity, email=email)
    confirm(order.pk, email)
    return JsonResponse({"id": order.pk}, status=201)


@require_POST
def receipt(_request: HttpRequest, number: int) -> JsonResponse:
    """Keep a receipt."""
    order = Order.objects.get(pk=number)
    Receipt.objects.create(order=order, email=order.email)
    return JsonResponse({})


@require_POST
def cancel(_request: HttpRequest, number: int) -> JsonResponse:
    """Cancel an order."""
    Order.objects.filter(pk=number).update(state="cancelled")
    return JsonResponse({"id": number, "state": "cancelled"})


@require_POST
def restock(request: HttpRequest) -> JsonResponse:
    """Put something into stock."""
    wish = json.loads(request.body)
    Product.objects.filter(name=wish["product"]).update(stock=F("stock") + wish["add"])
    product = Product.objects.get(name=wish["product"])
    return JsonResponse({"product": product.name, "stock": product.stock})


def report(_request: HttpRequest) -> JsonResponse:
    """How much was ordered of each product."""
    of_open = Sum("orders__quantity", filter=Q(orders__state="open"))
    rows: list[dict[str, Any]] = list(
        Product.objects.annotate(ordered=Coalesce(of_open, 0)).values("ordered", product=F("name"))
    )
    return JsonResponse(rows, safe=False)
