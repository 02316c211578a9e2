"""Asks the service as a user of the client would; prints what it got as JSON."""

import asyncio
import json
import os
import sys
from uuid import UUID

from traceflow_client import AuthenticatedClient
from traceflow_client.api.account import get_usage
from traceflow_client.api.cases import get_case_report
from traceflow_client.api.investigation import get_exposure, scan_transaction
from traceflow_client.api.scanning import get_scan, list_scans, scan_address_by_post
from traceflow_client.calls import TraceflowError, answer_of, connect, rows_of
from traceflow_client.models.chain import check_chain
from traceflow_client.models import ScanAddressByPostBody, ScanTransactionBody

address, case_id, free_key = sys.argv[1:]
url = os.environ["TRACEFLOW_URL"]
client = AuthenticatedClient(url, token=os.environ["TRACEFLOW_KEY"])
scan = scan_address_by_post.sync(client=client, body=ScanAddressByPostBody(address, chain="ethereum"))
listed = list_scans.sync(client=client, limit=1)
record = get_scan.sync(listed.scans[0].scan_id, client=client)
exposure = get_exposure.sync(address, client=client, max_hops=5)
report = get_case_report.sync(UUID(case_id), client=client)
used = asyncio.run(get_usage.asyncio(client=client))
unknown = get_usage.sync_detailed(client=AuthenticatedClient(url, token="tfk_unknown"))
tx = ScanTransactionBody(chain="ethereum", tx_hash="0x" + "0" * 64)
plan = scan_transaction.sync_detailed(client=AuthenticatedClient(url, token=free_key), body=tx)
shape = get_scan.sync_detailed("nonsense", client=client)

shapes = []
for call, named in ((get_usage, {"client": connect(url, "tfk_unknown")}), (get_usage, {"client": connect("http://127.0.0.1:1", "x", retries=0)})):
    try:
        answer_of(call.sync_detailed, **named)
    except TraceflowError as error:
        shapes.append([error.status, error.code, error.retry_after_s])
listed_ids = [one.scan_id for one in rows_of(list_scans.sync_detailed, "scans", client=connect(url, os.environ["TRACEFLOW_KEY"]), limit=1)]

answers = {
    "raised": shapes,
    "pages": [len(listed_ids), listed.total],
    "new_name": check_chain("a chain of a later version"),
    "level": scan.risk_level,
    "score": scan.risk_score,
    "recorded_score": record.risk_score,
    "indirect": [bucket.category for bucket in exposure.indirect],
    "report": report.payload.read(5).decode(),
    "unknown_key": [unknown.status_code, unknown.parsed.detail],
    "plan": [plan.status_code, plan.parsed.detail],
    "shape": [shape.status_code, shape.parsed.detail[0].loc],
    "used": used.scans_used,
}
print(json.dumps(answers))
