package io.sluice.billing.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Records the events of an outbox. */
final class ReceivedEvents implements OutboxListener {
    final List<Throwable> failures = new ArrayList<>();
    final List<OpeningFinding> findings = new ArrayList<>();
    final List<String> orphans = new ArrayList<>();
    int recoveries;

    @Override
    public void failed(Throwable cause, Duration wait) {
        failures.add(cause);
    }

    @Override
    public void works() {
        recoveries++;
    }

    @Override
    public void found(OpeningFinding finding) {
        findings.add(finding);
    }

    @Override
    public void orphaned(String queue, long entries) {
        orphans.add(queue + " " + entries);
    }
}
