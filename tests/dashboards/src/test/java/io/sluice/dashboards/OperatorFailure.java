package io.sluice.dashboards;

import io.sluice.lab.migration.core.MigrationFault;
import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Ten failures that an operator meets: how each is provoked, its alert, and what {@code sluice status} prints of it.
 */
enum OperatorFailure {
    LEDGER_WITHOUT_MAJORITY("SluiceGrantsStopped", "grants: stopped, 1 of 3 ledger processes replied") {
        @Override
        boolean hidesOthers() {
            return true;
        }

        @Override
        void provoke(Installation sluice) {
            sluice.killOtherLedgers();
        }
    },
    API_SERVER_FROZEN("SluicePatchesFail", "patches of VMs had no reply: ") {
        @Override
        void provoke(Installation sluice) {
            sluice.awaitPatches();
            sluice.relay().freeze();
        }
    },
    DEAD_WATCH("SluiceWatchFails", "cluster: the watches of Nodes, Pods, ") {
        @Override
        void provoke(Installation sluice) {
            sluice.relay().freezeWatches();
        }
    },
    MONITOR_DEAD("SluiceMonitorsGone", "monitor: no answer from the monitor of ") {
        @Override
        void provoke(Installation sluice) {
            sluice.lab().faults().monitorDies("checkout");
            sluice.lab().faults().monitorDies("search");
        }
    },
    GUEST_REFUSES("SluiceGuestsRefuse", "agent: the guest of default/thumbnails has denied every downscale for ") {
        @Override
        void provoke(Installation sluice) {
            sluice.lab().faults().guestRefuses("thumbnails");
        }
    },
    NODE_FULL("SluiceDenialsLast", ": cpu: requested ") {
        @Override
        void provoke(Installation sluice) {
            sluice.lab().guests().keySet().forEach(vm -> sluice.lab().work().compute(vm, BUSY_VCPUS));
        }
    },
    MIGRATION_HANGS(
            "SluiceMigrationHangs",
            "pressure: migrations that Sluice did not begin last longer than pressure.completionTimeout:"
                    + " default/by-hand of VM default/mailer") {
        @Override
        List<String> options(Path folder) {
            return List.of("-Dsluice.pressure.startTimeout=10s", "-Dsluice.pressure.completionTimeout=20s");
        }

        @Override
        void provoke(Installation sluice) throws Exception {
            sluice.lab().faults().migrations(VM, MigrationFault.HANGS_RUNNING);
            sluice.post("/apis/vm.neon.tech/v1/namespaces/default/virtualmachinemigrations", """
                {"apiVersion": "vm.neon.tech/v1", "kind": "VirtualMachineMigration",
                 "metadata": {"name": "by-hand", "namespace": "default"}, "spec": {"vmName": "%s"}}
                """.formatted(VM));
        }
    },
    SINK_DOWN("SluiceBillsWait", "billing: the sink billing/http accepts nothing, since ") {
        @Override
        List<String> options(Path folder) {
            return List.of("-Dsluice.billing.http.url=http://127.0.0.1:" + LoopbackPorts.next());
        }

        @Override
        void provoke(Installation sluice) {
            // Nothing listens at that port from the start.
        }
    },
    DISK_FULL("SluiceBillsBlocked", "billing: the outbox accepts no bills: the disk has no room") {
        @Override
        boolean isPossible() {
            return "root".equals(System.getProperty("user.name"));
        }

        @Override
        List<String> options(Path folder) throws Exception {
            var disk = Files.createDirectory(folder.resolve("disk"));
            Installation.mustRun("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk.toString());
            return List.of("-Dsluice.billing.directory=" + disk.resolve("outbox"));
        }

        @Override
        void provoke(Installation sluice) throws IOException {
            var filler = sluice.home().resolveSibling("disk").resolve("filler");
            try (var filling = Files.newOutputStream(filler, StandardOpenOption.CREATE)) {
                while (true) {
                    filling.write(new byte[512]);
                }
            } catch (IOException full) {
                if (!String.valueOf(full.getMessage()).contains("No space")) {
                    throw full;
                }
            }
        }

        @Override
        void clear(Path folder) throws Exception {
            Installation.mustRun("umount", "-l", folder.resolve("disk").toString());
        }
    },
    CERTIFICATE_ENDS("SluiceCertificateEnds", "gateway: the certificate of gateway.dump ends at ") {
        @Override
        List<String> options(Path folder) throws Exception {
            var certificate = ListenerCertificate.in(folder);
            return List.of(
                    "-Dsluice.gateway.dump.tls.cert=" + certificate.cert(),
                    "-Dsluice.gateway.dump.tls.key=" + certificate.key());
        }

        @Override
        void provoke(Installation sluice) {
            // It has ten days left from the start.
        }
    };

    private static final String VM = "mailer";
    private static final double BUSY_VCPUS = 6;

    private final String alert;
    private final String shown;

    OperatorFailure(String alert, String shown) {
        this.alert = alert;
        this.shown = shown;
    }

    /** The alert that fires. */
    String alert() {
        return alert;
    }

    /** What {@code sluice status} prints of it. */
    String shown() {
        return shown;
    }

    /** Whether this machine lets it be provoked: a disk of its own needs root. */
    boolean isPossible() {
        return true;
    }

    /** Whether another failure cannot be found while it lasts: without grants no VM is patched. */
    boolean hidesOthers() {
        return false;
    }

    /** Further keys of the process with all roles. */
    List<String> options(Path folder) throws Exception {
        return List.of();
    }

    /** Removes what its options made. */
    void clear(Path folder) throws Exception {
        // Most make nothing that needs it.
    }

    abstract void provoke(Installation sluice) throws Exception;
}
