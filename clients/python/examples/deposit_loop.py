"""Screens a deposit by its transaction, says whether to credit or to hold it, and shows the alerts about it since."""

import os
import sys
import time
import uuid

from traceflow_client import AuthenticatedClient
from traceflow_client.api.alerts import list_queued_alerts
from traceflow_client.api.transfers import get_transfer, screen_transfer
from traceflow_client.calls import answer_of, connect
from traceflow_client.models import ScreenTransferBody

POLL_S = 1.0
CREDITED = ("LOW", "MEDIUM")


def screen_deposit(client: AuthenticatedClient, *, chain: str, tx_hash: str, address: str, reference: str):
    """What to do with the deposit (`credit` or `hold`), and why; the reference is your own, without names of people."""
    body = ScreenTransferBody(
        chain=chain, tx_hash=tx_hash, direction="deposit", address=address, reference=reference
    )
    # The same key when this is sent again: one screening, one scan.
    key = f"deposit-{reference}"
    transfer = answer_of(screen_transfer.sync_detailed, client=client, body=body, idempotency_key=key).transfer
    while transfer.state == "waiting":
        # A webhook for `scan.completed` with the reference saves the polling.
        time.sleep(POLL_S)
        transfer = answer_of(get_transfer.sync_detailed, transfer.id, client=client)
    # Everything else, also what a later version may say, is for a person.
    if transfer.state == "screened" and transfer.risk_level in CREDITED:
        return "credit", transfer.risk_level
    return "hold", transfer.reason or transfer.risk_level or transfer.state


def alerts_of(client: AuthenticatedClient, reference: str):
    """Alerts about a deposit: a sender that a list names within 30 days raises one."""
    return answer_of(list_queued_alerts.sync_detailed, client=client, reference=reference).alerts


if __name__ == "__main__":
    url = os.environ.get("TRACEFLOW_URL", "http://127.0.0.1:8080")
    traceflow = connect(url, os.environ["TRACEFLOW_KEY"])
    hash_, to, *name = sys.argv[1:]
    ref = (name or [str(uuid.uuid4())])[0]
    print(*screen_deposit(traceflow, chain="ethereum", tx_hash=hash_, address=to, reference=ref))
    for alert in alerts_of(traceflow, ref):
        print(alert.severity, alert.title)
