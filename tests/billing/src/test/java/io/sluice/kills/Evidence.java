package io.sluice.kills;

import io.sluice.billing.wire.AccountLine;
import io.sluice.billing.wire.UsageEvent;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All records of a history that a process billed while it was killed repeatedly.
 *
 * @param history what was to be billed
 * @param journal what was published to the process
 * @param received events received by HTTP, in order, with repetitions
 * @param filed events in the files of bills, with repetitions
 * @param account account lines, with repetitions
 * @param strange records that cannot be read
 */
record Evidence(
        History history,
        List<Journal.Line> journal,
        List<UsageEvent> received,
        List<UsageEvent> filed,
        List<AccountLine> account,
        List<String> strange) {

    /** Whether receiver, files and account lines have events of the same keys. */
    boolean isWhole() {
        var keys = keys(received);
        return keys.equals(keys(filed)) && keys.equals(Audit.keys(account));
    }

    private static Set<String> keys(List<UsageEvent> events) {
        return events.stream().map(UsageEvent::idempotencyKey).collect(Collectors.toSet());
    }

    Evidence withReceived(List<UsageEvent> other) {
        return new Evidence(history, journal, other, filed, account, strange);
    }

    Evidence withBoth(List<UsageEvent> other) {
        return new Evidence(history, journal, other, other, account, strange);
    }

    Evidence withAccount(List<AccountLine> other) {
        return new Evidence(history, journal, received, filed, other, strange);
    }
}
