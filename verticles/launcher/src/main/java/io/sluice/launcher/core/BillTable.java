package io.sluice.launcher.core;

import io.sluice.billing.core.Bill;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats bills as a table. */
public final class BillTable {
    private static final String ROW = "%-32s %-8s %-24s %12s %12s %14s  %s";
    private static final int MILLI_CPU_NS_DIGITS = 12;

    private BillTable() {}

    /** A line for each bill, and one for their sum. */
    public static List<String> lines(List<Bill> bills) {
        var lines = new ArrayList<String>();
        lines.add(row("VM", "DRIVER", "ENDPOINT", "vCPU s", "ACTIVE s", "HELD vCPU s", "CHECK"));
        var all = Bill.empty("", "");
        for (var bill : bills) {
            lines.add(row(bill, shown(bill.vm()), shown(bill.driver()), shown(bill.endpoint())));
            all = all.plus(bill);
        }
        lines.add(row(all, "all", "", counted(bills.size(), "bill", "bills")));
        return lines;
    }

    private static String shown(String name) {
        return name.isEmpty() ? "-" : name;
    }

    private static String row(Bill bill, String vm, String driver, String endpoint) {
        return row(
                vm,
                driver,
                endpoint,
                Long.toString(bill.computeSeconds()),
                Long.toString(bill.activeSeconds()),
                isChecked(bill) ? cpuSeconds(bill.heldMilliCpuNs()) : "-",
                check(bill));
    }

    private static String row(String... cells) {
        return String.format(Locale.ROOT, ROW, (Object[]) cells).stripTrailing();
    }

    /** Whether there is anything to check: not for a VM that had nothing and for which nothing was held. */
    private static boolean isChecked(Bill bill) {
        return bill.heldMilliCpuNs().signum() != 0 || bill.checkedMilliCpuNs().signum() != 0;
    }

    private static String cpuSeconds(BigInteger milliCpuNs) {
        return new BigDecimal(milliCpuNs, MILLI_CPU_NS_DIGITS)
                .setScale(1, RoundingMode.HALF_UP)
                .toPlainString();
    }

    /** Compares with what the ledger held, an upper bound of what may be billed. */
    private static String check(Bill bill) {
        var words = new ArrayList<String>();
        if (bill.above() > 0) {
            words.add(counted(bill.above(), "window is", "windows are") + " billed for more than was held");
        }
        if (bill.unchecked() > 0) {
            words.add(counted(bill.unchecked(), "window", "windows") + " not checked");
        }
        if (!bill.unbilled().isZero()) {
            words.add(seconds(bill.unbilled()) + " s not billed, as the use is not known");
        }
        if (bill.lateMilliCpuNs().signum() != 0) {
            words.add(cpuSeconds(bill.lateMilliCpuNs().abs()) + " vCPU s billed too "
                    + (bill.lateMilliCpuNs().signum() < 0 ? "much" : "little") + ", as changes arrived late");
        }
        if (words.isEmpty()) {
            return isChecked(bill) ? "ok" : "not checked";
        }
        return String.join("; ", words);
    }

    private static String counted(int count, String one, String more) {
        return count + " " + (count == 1 ? one : more);
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f", time.toMillis() / 1e3);
    }
}
