package io.sluice.console.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Bills of VMs of a {@link SyntheticFleet}, for the sizes that {@link SyntheticDocuments} shows. */
final class VmBills {
    private static final long HOUR_MS = 3_600_000;
    private static final int HOURS = 24;
    private static final int SAMPLE_SECONDS = 60;
    private static final int MAX_OF_A_GONE_VM = 8;

    private VmBills() {}

    /**
     * A day with two gaps of {@code feeds}, and five hours of another; of {@code mailer} no process replies, and
     * {@code sessions} is not billed.
     */
    static JsonNode of(String name, Optional<SyntheticVm> vm) {
        var bill = SyntheticFleet.JSON.objectNode();
        if (name.equals("mailer")) {
            return bill.put("known", false).put("reason", "no process leads billing: no process serves that address");
        }
        boolean isLong = name.equals("feeds");
        long now = System.currentTimeMillis();
        bill.put("known", true).put("since", now - (isLong ? 40 : 5) * HOUR_MS);
        var hours = bill.putArray("hours");
        for (int ago = (isLong ? HOURS : 6) - 1; ago >= 0 && !name.equals("sessions"); ago--) {
            hours.add(hour(now, ago, isLong, vm.map(billed -> billed.max).orElse(MAX_OF_A_GONE_VM)));
        }
        return bill;
    }

    private static ObjectNode hour(long now, int ago, boolean hasGaps, int max) {
        long at = (now / HOUR_MS - ago) * HOUR_MS;
        long restart = hasGaps && ago == 8 ? 40 : 0;
        long watch = hasGaps && ago == 14 ? 125 : 0;
        long end = Math.min(now, at + HOUR_MS);
        double compute = 0;
        long active = 0;
        for (long from = at + (restart + watch) * 1_000; from < end; from += SAMPLE_SECONDS * 1_000) {
            long seconds = Math.min(SAMPLE_SECONDS, (end - from) / 1_000);
            compute += seconds * 0.25 * SyntheticDocuments.goal(max, now - from);
            active += seconds;
        }
        return SyntheticFleet.JSON
                .objectNode()
                .put("at", at)
                .put("computeSeconds", Math.round(compute))
                .put("activeSeconds", active)
                .put("restartMs", restart * 1_000)
                .put("watchMs", watch * 1_000);
    }
}
