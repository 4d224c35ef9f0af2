"""
The desk's addresses.
"""

from __future__ import annotations

from django.urls import path

from desk import views

urlpatterns = [
    path("", views.page),
    path("desk.js", views.script),
    path("desk", views.show),
    path("orders", views.place),
    path("orders/<int:number>/receipt", views.receipt),
    path("orders/<int:number>/cancel", views.cancel),
    path("stock", views.restock),
    path("report", views.report),
]
