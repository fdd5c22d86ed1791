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
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * A demo's bill compared with the lab's own account: each window of each VM. A window that is missing is a breach.
 *
 * @param lines of the summary
 * @param breaches where the two differ by more than is allowed
 */
record DemoBill(List<String> lines, List<String> breaches) {
    private static final int MILLI_CPU_NS_DIGITS = 12;

    /** What rounding may take from a sum of seconds. */
    private static final BigInteger SECOND = BigInteger.TEN.pow(MILLI_CPU_NS_DIGITS);

    /** The lab's account of the sizes that its VMs had. */
    interface Account {
        /** CPU that a VM had, in milli-CPU times nanoseconds; empty if that is not stored any more. */
        Optional<BigInteger> held(String vm, Instant from, Instant to);

        /** The names of all VMs. */
        Set<String> vms();

        /**
         * By how much a bill may differ: objects record their changes in whole seconds, so each change counts up to a
         * second early or late.
         */
        BigInteger tolerance(String vm, Instant from, Instant to);
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
        var byVm = billed(files);
        var had = compare(byVm, account, breaches);
        compareEvents(bills.bills(), byVm, breaches);
        return new DemoBill(lines(bills.bills(), had), breaches);
    }

    /** The billed parts of each VM by its name, the earliest first. */
    private static Map<String, List<AccountLine.Billed>> billed(Path files) throws IOException {
        var byVm = new TreeMap<String, List<AccountLine.Billed>>();
        AccountReader.read(files, line -> {
            if (line instanceof AccountLine.Billed billed) {
                var vm = billed.part().vm();
                byVm.computeIfAbsent(vm.substring(vm.indexOf('/') + 1), first -> new ArrayList<>())
                        .add(billed);
            }
        });
        byVm.values()
                .forEach(parts ->
                        parts.sort(Comparator.comparing(billed -> billed.part().start())));
        return byVm;
    }

    private static List<BigInteger> compare(
            Map<String, List<AccountLine.Billed>> byVm, Account account, List<String> breaches) {
        var all = byVm.values().stream()
                .flatMap(List::stream)
                .map(AccountLine.Billed::part)
                .toList();
        var end = all.stream().map(AccountLine.Part::stop).max(Comparator.naturalOrder());
        if (end.isEmpty()) {
            breaches.add("no VM is billed");
            return List.of();
        }
        // Bills of a driver's VMs begin once the watch on them is proven.
        var begins = all.stream()
                .collect(Collectors.toMap(
                        AccountLine.Part::driver,
                        AccountLine.Part::start,
                        BinaryOperator.minBy(Comparator.naturalOrder())));
        var last = Collections.max(begins.values());
        var sums = new ArrayList<BigInteger>();
        for (var vm : account.vms()) {
            var parts = byVm.getOrDefault(vm, List.of());
            var at = parts.isEmpty() ? last : begins.get(parts.getFirst().part().driver());
            for (var billed : parts) {
                var part = billed.part();
                apart(vm, at, part.start(), BigInteger.ZERO, account).ifPresent(breaches::add);
                apart(vm, part.start(), part.stop(), billed.milliCpuNs(), account)
                        .ifPresent(breaches::add);
                sums.add(account.held(vm, part.start(), part.stop()).orElse(BigInteger.ZERO));
                at = part.stop();
            }
            apart(vm, at, end.get(), BigInteger.ZERO, account).ifPresent(breaches::add);
        }
        return sums;
    }

    private static Optional<String> apart(String vm, Instant from, Instant to, BigInteger billed, Account account) {
        if (!from.isBefore(to)) {
            return Optional.empty();
        }
        var had = account.held(vm, from, to).orElse(BigInteger.ZERO);
        return billed.subtract(had).abs().compareTo(account.tolerance(vm, from, to)) <= 0
                ? Optional.empty()
                : Optional.of(vm + " had " + seconds(had) + " vCPU s from " + from + " to " + to + " and is billed for "
                        + seconds(billed));
    }

    /** The events of a VM are its account lines, in whole seconds. */
    private static void compareEvents(
            List<Bill> bills, Map<String, List<AccountLine.Billed>> byVm, List<String> breaches) {
        for (var vm : byVm.entrySet()) {
            var exact =
                    vm.getValue().stream().map(AccountLine.Billed::milliCpuNs).reduce(BigInteger.ZERO, BigInteger::add);
            var sent = bills.stream()
                    .filter(bill -> bill.vm().endsWith("/" + vm.getKey()))
                    .map(bill -> BigInteger.valueOf(bill.computeSeconds()).multiply(SECOND))
                    .reduce(BigInteger.ZERO, BigInteger::add);
            if (sent.subtract(exact).abs().compareTo(SECOND) > 0) {
                breaches.add(vm.getKey() + " used " + seconds(exact) + " vCPU s and has events of " + seconds(sent));
            }
        }
    }

    private static String seconds(BigInteger milliCpuNs) {
        return new BigDecimal(milliCpuNs, MILLI_CPU_NS_DIGITS)
                .setScale(1, RoundingMode.HALF_UP)
                .toPlainString();
    }

    private static List<String> lines(List<Bill> bills, List<BigInteger> had) {
        long billed = bills.stream().mapToLong(Bill::computeSeconds).sum();
        var held = had.stream().reduce(BigInteger.ZERO, BigInteger::add);
        return List.of("billed vCPU s: " + billed, "had vCPU s: " + seconds(held));
    }
}
