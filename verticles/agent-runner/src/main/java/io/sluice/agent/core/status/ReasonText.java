package io.sluice.agent.core.status;

import io.sluice.messages.agent.GoalBasis;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Sentences from the numbers that a decision was made from. */
public final class ReasonText {
    private static final double MEBI = 1L << 20;

    private ReasonText() {}

    /** Why the VM should have the size that it should have. */
    public static String ofGoal(GoalBasis basis) {
        List<String> parts = new ArrayList<>();
        basis.cpuCu().ifPresent(cu -> parts.add(ofCpu(cu, basis)));
        basis.memoryCu().ifPresent(cu -> parts.add(ofMemory(cu, basis)));
        basis.lfcCu().ifPresent(cu -> parts.add(number("working set needs %.2f", cu)));
        if (parts.isEmpty()) {
            parts.add("no metrics");
        }
        if (basis.requestedCu() > 0) {
            parts.add("the upscale request asks for " + basis.requestedCu());
        }
        if (basis.deniedCu() > 0) {
            parts.add("the denied downscale keeps it at " + basis.deniedCu());
        }
        return "goal " + basis.goalCu() + " CU: " + String.join(", ", parts);
    }

    private static String ofCpu(double cu, GoalBasis basis) {
        var load1 = basis.load1().map(load -> number("load1 %.2f", load)).orElse("load1 unknown");
        var load5 = basis.load5().map(load -> number("load5 %.2f", load)).orElse("load5 unknown");
        return number("cpu needs %.2f", cu) + " (" + load1 + ", " + load5 + ")";
    }

    private static String ofMemory(double cu, GoalBasis basis) {
        var used = basis.usageBytes().map(bytes -> number(" (%.0f MiB in use)", bytes / MEBI));
        return number("memory needs %.2f", cu) + used.orElse("");
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
