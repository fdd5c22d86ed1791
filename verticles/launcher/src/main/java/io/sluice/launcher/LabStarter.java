package io.sluice.launcher;

import io.sluice.lab.LabCluster;
import io.sluice.lab.LabVerticle;
import io.sluice.lab.api.ApiEndpoint;
import io.sluice.lab.core.FleetPlan;
import io.sluice.lab.guest.GuestSnapshot;
import io.sluice.launcher.config.LabSection;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.shell.Shell;
import io.vertx.core.Deployable;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The only class beside the section that refers to the lab; loaded only where the lab's role is named. */
final class LabStarter implements DemoBill.Account {
    private static final double MILLI = 1000;

    private final LabVerticle verticle;
    private final KubernetesConfig kubernetes;
    private final boolean inCluster;

    /** @param cluster the Kubernetes cluster of the lab's objects, if they are not in an API server of the lab's own */
    LabStarter(LabSection section, Shell shell, KubernetesConfig cluster) throws StartException {
        inCluster = section.lab().cluster() == LabCluster.KUBERNETES;
        verticle = inCluster
                ? LabVerticle.in(endpoint(cluster), section.lab(), shell, FleetPlan.nodes())
                : new LabVerticle(section.lab(), shell);
        kubernetes = cluster;
    }

    private static ApiEndpoint endpoint(KubernetesConfig cluster) throws StartException {
        try {
            var token = cluster.tokenFile().isEmpty()
                    ? ""
                    : Files.readString(Path.of(cluster.tokenFile())).strip();
            return new ApiEndpoint(cluster.url(), token, cluster.caFile());
        } catch (IOException unreadable) {
            throw new StartException(
                    "kubernetes.tokenFile=" + cluster.tokenFile() + " must be a file that can be read", unreadable);
        }
    }

    /** Whether the lab's objects are in an API server of its own. */
    boolean isOwn() {
        return !inCluster;
    }

    Deployable verticle() {
        return verticle;
    }

    /** How the API server with its objects is reached, once the lab is deployed. */
    KubernetesConfig kubernetes() {
        return inCluster ? kubernetes : kubernetes.at(verticle.apiUrl());
    }

    /** The first breach that the lab's auditor found. An auditor that never compared counts as a breach. */
    Optional<String> breach() {
        var audit = verticle.audit();
        if (audit.checks() == 0) {
            return Optional.of("the auditor never compared the ledger's state with the VMs");
        }
        return audit.firstBreach().map(first -> audit.breaches() + " breaches, the first: " + first);
    }

    /** CPU that the load in guests and pods uses: its demand, up to the size of its VM. */
    double usedCores() {
        return Stream.concat(
                        verticle.guests().values().stream().map(LabStarter::used), verticle.podCpus().values().stream())
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    @Override
    public Optional<BigInteger> held(String vm, Instant from, Instant to) {
        return verticle.held(vm, from, to);
    }

    @Override
    public Set<String> vms() {
        return verticle.accounted();
    }

    @Override
    public BigInteger tolerance(String vm, Instant from, Instant to) {
        return verticle.tolerance(vm, from, to);
    }

    /** What is scaled, in words. */
    String fleet() {
        int pods = verticle.podCpus().size();
        return verticle.guests().size() + " VMs" + (pods == 0 ? "" : " and " + pods + (pods == 1 ? " pod" : " pods"));
    }

    private static double used(GuestSnapshot guest) {
        return Math.min(guest.demand(), guest.size().milliCpu() / MILLI);
    }
}
