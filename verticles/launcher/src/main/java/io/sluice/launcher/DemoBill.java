package io.sluice.launcher;

import io.sluice.billing.BillingConfig;
import io.sluice.billing.bill.AccountReader;
import io.sluice.billing.bill.BillReader;
import io.sluice.billing.core.Bill;
import io.sluice.billing.wire.AccountLine;
import io.sluice.billing.wire.UsageMetricNames;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A demo's bill compared with the lab's own account of its VMs.
 *
 * @param lines of the summary
 * @param breaches where the two differ by more than is allowed
 */
record DemoBill(List<String> lines, List<String> breaches) {
    /** Observations reach billing after some milliseconds, so each change of a VM's size is billed a little late. */
    private static final double APART_MAX = 0.01;

    private static final int MILLI_CPU_NS_DIGITS = 12;

    /** The lab's account of the size that a VM had. */
    interface Account {
        Optional<BigInteger> held(String vm, Instant from, Instant to);
    }

    private static final class Sums {
        private BigInteger billed = BigInteger.ZERO;
        private BigInteger had = BigInteger.ZERO;
    }

    static DemoBill read(BillingConfig billing, Account account) throws IOException {
        var files = Path.of(billing.file().directory());
        var metrics = new UsageMetricNames(billing.cpuMetricName(), billing.activeTimeMetricName());
        var bills = new BillReader(metrics, Instant.MIN, Instant.MAX).read(files);
        var breaches = new ArrayList<String>();
        bills.badLines().forEach(bad -> breaches.add("no bill: " + bad));
        bills.bills().stream()
                .filter(bill -> bill.above() > 0)
                .forEach(bill -> breaches.add(bill.vm() + " is billed for more than the ledger held"));
        var byVm = sums(files, account);
        byVm.forEach((vm, sums) -> apart(vm, sums).ifPresent(breaches::add));
        return new DemoBill(
                lines(
                        bills.bills(),
                        byVm.values().stream().map(sums -> sums.had).toList()),
                breaches);
    }

    private static HashMap<String, Sums> sums(Path files, Account account) throws IOException {
        var byVm = new HashMap<String, Sums>();
        AccountReader.read(files, line -> {
            if (line instanceof AccountLine.Billed billed) {
                var part = billed.part();
                var sums = byVm.computeIfAbsent(part.vm(), vm -> new Sums());
                var name = part.vm().substring(part.vm().indexOf('/') + 1);
                sums.billed = sums.billed.add(billed.milliCpuNs());
                sums.had = sums.had.add(
                        account.held(name, part.start(), part.stop()).orElse(BigInteger.ZERO));
            }
        });
        return byVm;
    }

    private static Optional<String> apart(String vm, Sums sums) {
        double billed = sums.billed.doubleValue();
        double had = sums.had.doubleValue();
        return Math.abs(billed - had) <= APART_MAX * had
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT, "%s had %.1f vCPU s and is billed for %.1f", vm, had / 1e12, billed / 1e12));
    }

    private static List<String> lines(List<Bill> bills, List<BigInteger> had) {
        long billed = bills.stream().mapToLong(Bill::computeSeconds).sum();
        var held = had.stream().reduce(BigInteger.ZERO, BigInteger::add);
        return List.of(
                "billed vCPU s: " + billed,
                "had vCPU s: "
                        + new BigDecimal(held, MILLI_CPU_NS_DIGITS)
                                .setScale(1, RoundingMode.HALF_UP)
                                .toPlainString());
    }
}
