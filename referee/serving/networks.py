"""How tablets reach this table: the addresses of its networks, asked anew each time, as they come and go."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass

import ifaddr

from referee.config.settings import WebSection

OURSELVES = ("docker", "veth", "virbr", "br-", "lxc", "podman", "cni")
"""Beginnings of the names of networks that lie within the machine: no tablet is in them."""
SOMEWHERE = "192.0.2.1"
"""An address of documentation (RFC 5737): nothing is ever sent there."""
EVERYWHERE = ("0.0.0.0", "::", "")


@dataclass(frozen=True, slots=True)
class TabletNetwork:
    """A network that this machine is in: the interface's name and our address there."""

    interface: str
    address: str


def networks() -> list[TabletNetwork]:
    """The networks that tablets can be in; first the one that leads out, where one does.

    IPv4, as home networks have it.  An address of the interface's own making (169.254.x.x: a cable without
    a router) counts where there is no other.
    """
    found = [
        TabletNetwork(adapter.nice_name, str(ip.ip))
        for adapter in ifaddr.get_adapters()
        if not adapter.name.startswith(OURSELVES)
        for ip in adapter.ips
        if ip.is_IPv4 and not ipaddress.ip_address(str(ip.ip)).is_loopback
    ]
    given = [one for one in found if not ipaddress.ip_address(one.address).is_link_local]
    leads_out = _leads_out()
    return sorted(given or found, key=lambda one: (one.address != leads_out, one.interface, one.address))


def _leads_out() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # connecting a datagram socket sends nothing: it only asks which address would be used
            probe.connect((SOMEWHERE, 9))
        except OSError:
            return ""  # no way out: a hotspot of its own
        return str(probe.getsockname()[0])


def tablet_addresses(web: WebSection, port: int) -> list[str]:
    """The table's addresses for tablets, the likeliest first; none where only this machine is served."""
    scheme = "https" if web.https else "http"
    if web.address:
        return [web.address.rstrip("/")]
    if web.host in EVERYWHERE:
        return [f"{scheme}://{one.address}:{port}" for one in networks()]
    if is_this_machine(web.host):
        return []
    host = f"[{web.host}]" if ":" in web.host else web.host
    return [f"{scheme}://{host}:{port}"]


def is_this_machine(host: str) -> bool:
    """Whether this name or address leads back to whoever uses it, so that no tablet is helped by it."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
