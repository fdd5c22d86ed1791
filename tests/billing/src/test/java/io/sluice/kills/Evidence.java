package io.sluice.kills;

import io.sluice.billing.wire.AccountLine;
import io.sluice.billing.wire.UsageEvent;
import java.util.List;

/**
 * What there is to see after a process billed a history and was killed meanwhile.
 *
 * @param history what there was to bill
 * @param journal what the process was told of it
 * @param received what came by HTTP, in order, repeats too
 * @param filed what stands in the files of bills, repeats too
 * @param account what stands beside those, repeats too
 * @param strange what was found that nobody can read
 */
record Evidence(
        History history,
        List<Journal.Line> journal,
        List<UsageEvent> received,
        List<UsageEvent> filed,
        List<AccountLine> account,
        List<String> strange) {

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
