"""Asks for a verdict on each transaction before it is signed. Without a verdict nothing is signed unasked."""

import os
import sys

import httpx
from traceflow_client import AuthenticatedClient
from traceflow_client.api.scanning import check_presign
from traceflow_client.models import RiskVerdict
from traceflow_client.types import UNSET

ACTIONS = {"ok": "sign", "caution": "ask", "danger": "refuse"}
# Someone is waiting to sign; no verdict within it means that a person decides.
VERDICT_S = 2.0
NO_VERDICT = ("ask", ["No verdict: the screening service did not answer"])


def decide(client: AuthenticatedClient, *, chain, sender, to, value="0", data=UNSET) -> tuple[str, list[str]]:
    """What to do with the transaction (`sign`, `ask` or `refuse`), and why; `value` is in the smallest unit."""
    try:
        answer = check_presign.sync_detailed(client=client, chain=chain, to=to, value=value, data=data, signer=sender)
    except httpx.HTTPError:
        return NO_VERDICT
    if isinstance(answer.parsed, RiskVerdict):
        return ACTIONS[answer.parsed.verdict], answer.parsed.reasons
    # These are about this transaction: an address that the chain does not have. All else will pass.
    if answer.status_code in (400, 422):
        return "refuse", [str(answer.parsed.detail)]
    return NO_VERDICT


if __name__ == "__main__":
    url = os.environ.get("TRACEFLOW_URL", "http://127.0.0.1:8080")
    traceflow = AuthenticatedClient(url, token=os.environ["TRACEFLOW_KEY"], timeout=httpx.Timeout(VERDICT_S))
    destination, *amount = sys.argv[1:]
    burn = "0x000000000000000000000000000000000000dEaD"
    action, reasons = decide(traceflow, chain="ethereum", sender=burn, to=destination, value=(amount or ["0"])[0])
    print(action, *reasons, sep="\n")
