"""
What the desk keeps.
"""

from __future__ import annotations

from django.db import models


class Product(models.Model):
    """A product, and how many there are."""

    name = models.TextField(primary_key=True)
    stock = models.IntegerField()

    class Meta:
        """The table of the examples."""

        db_table = "products"
        managed = False


class Order(models.Model):
    """An order."""

    product = models.ForeignKey(Product, models.CASCADE, db_column="product", related_name="orders")
    quantity = models.IntegerField()
    email = models.TextField()
    state = models.TextField(default="open")

    class Meta:
        """The table of the examples."""

        db_table = "orders"
        managed = False


class Receipt(models.Model):
    """A receipt that was kept."""

    order = models.OneToOneField(Order, models.CASCADE, primary_key=True)
    email = models.TextField()

    class Meta:
        """The table of the examples."""

        db_table = "receipts"
        managed = False
