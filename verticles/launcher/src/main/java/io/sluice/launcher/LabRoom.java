package io.sluice.launcher;

import io.sluice.lab.LabVerticle;
import io.sluice.lab.guest.GuestSnapshot;
import io.sluice.shell.Shell;
import io.vertx.core.Deployable;
import java.util.Optional;

/** The only class beside the section that knows the lab; touched only where the lab's role is named. */
final class LabRoom {
    private static final double MILLI = 1000;

    private final LabVerticle verticle;

    LabRoom(LabSection section, Shell shell) {
        this.verticle = new LabVerticle(section.lab(), shell);
    }

    Deployable verticle() {
        return verticle;
    }

    /** Where its Kubernetes API listens; once it is deployed. */
    String apiUrl() {
        return verticle.apiUrl();
    }

    /** What its auditor found that must never be; nothing found is no finding only if it looked. */
    Optional<String> breach() {
        var audit = verticle.audit();
        if (audit.checks() == 0) {
            return Optional.of("the auditor could not compare the books with the VMs once");
        }
        return audit.firstBreach().map(first -> audit.breaches() + " breaches, the first: " + first);
    }

    /** CPU that the load in the guests takes: what it wants, but no more than its VM has. */
    double usedCores() {
        return verticle.guests().values().stream().mapToDouble(LabRoom::used).sum();
    }

    int guests() {
        return verticle.guests().size();
    }

    private static double used(GuestSnapshot guest) {
        return Math.min(guest.demand(), guest.size().milliCpu() / MILLI);
    }
}
