package io.sluice.gateway.console;

import io.sluice.gateway.core.console.fleet.Delta;
import io.sluice.gateway.core.console.fleet.FleetState;
import io.sluice.gateway.core.console.fleet.MigrationEntry;
import io.sluice.gateway.core.console.fleet.VmView;
import io.sluice.messages.ledger.NodeLedgerView;
import java.io.IOException;

/** The JSON of the fleet and of its changes for the overview. */
final class FleetJson {
    private FleetJson() {}

    /** Returns the fields of an object with the whole fleet. */
    static JsonText.Content of(FleetState fleet, ConsoleProcess process) {
        return json -> json.time("at", fleet.at())
                .object(
                        "process",
                        self -> self.text("version", process.version())
                                .texts("roles", process.roles())
                                .time("startedAt", process.startedAt()))
                .array("nodes", fleet.nodes(), FleetJson::node)
                .array("vms", fleet.vms(), FleetJson::vm)
                .array("migrations", fleet.migrations(), FleetJson::migration)
                .array("decisions", fleet.decisions(), WhyJson::entry);
    }

    /** Returns the fields of an object with the changes. */
    static JsonText.Content of(Delta delta) {
        return json -> {
            json.time("at", delta.at())
                    .array("nodes", delta.nodes(), FleetJson::node)
                    .texts("nodesGone", delta.nodesGone())
                    .array("vms", delta.vms(), FleetJson::vm)
                    .texts("vmsGone", delta.vmsGone());
            if (delta.migrations().isPresent()) {
                json.array("migrations", delta.migrations().get(), FleetJson::migration);
            }
            json.array("decisions", delta.decisions(), WhyJson::entry);
        };
    }

    private static void node(JsonText json, NodeLedgerView node) throws IOException {
        json.open(fields -> nodeReservations(fields, node));
    }

    /** Writes the fields of a node's object. */
    static void nodeReservations(JsonText json, NodeLedgerView node) throws IOException {
        json.text("name", node.node())
                .flag("complete", node.complete())
                .text("readiness", node.readiness().name())
                .amount("total", node.total())
                .amount("watermark", node.watermark())
                .amount("reserved", node.reserved())
                .amount("held", node.held())
                .amount("buffer", node.buffer())
                .amount("capacityPressure", node.capacityPressure())
                .amount("accountedPressure", node.accountedPressure())
                .amount("migrating", node.migrating())
                .flag("underPressure", node.underPressure())
                .number("broken", node.invariantsBroken());
    }

    private static void vm(JsonText json, VmView vm) throws IOException {
        json.open(fields -> vmReservations(fields, vm));
    }

    /** Writes the fields of a VM's object. */
    static void vmReservations(JsonText json, VmView vm) throws IOException {
        json.text("key", vm.key())
                .text("uid", vm.uid())
                .text("driver", vm.driver())
                .text("node", vm.node())
                .text("phase", vm.phase().name())
                .flag("autoscaled", vm.autoscaled())
                .amount("size", vm.size())
                .amount("shown", vm.shown())
                .amount("goal", vm.goal())
                .amount("permit", vm.permit())
                .amount("max", vm.max())
                .text("waiting", vm.waiting().name())
                .time("waitingSince", vm.waitingSince())
                .text("reason", vm.reason())
                .flag("migratable", vm.migratable());
    }

    private static void migration(JsonText json, MigrationEntry migration) throws IOException {
        json.open(fields -> fields.text("name", migration.name())
                .text("vm", migration.vm())
                .text("phase", migration.phase().name())
                .text("from", migration.from())
                .text("to", migration.to())
                .time("sinceMs", migration.since())
                .flag("ours", migration.ours()));
    }
}
