package io.sluice.gateway.console;

import io.sluice.devices.Device;
import io.sluice.gateway.core.console.Why;
import io.sluice.gateway.core.console.fleet.ChartHistory;
import io.sluice.gateway.core.console.fleet.VmStatus;
import io.sluice.gateway.core.console.fleet.VmView;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.billing.VmBill;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.pressure.Ranking;
import io.sluice.shell.explain.GrantText;
import io.sluice.units.Resources;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The JSON of the pages of one VM and of one node. */
final class DetailJson {
    private static final int MIB_SHIFT = 20;

    private DetailJson() {}

    /** All data of a VM's page; what the ledger did not reply is empty. */
    record VmPage(
            VmStatus vm,
            VmObserved observed,
            VmView view,
            Optional<ReservationView> reservation,
            List<ChartHistory.Point> history,
            Why.Known why) {}

    /** All data of a node's page; what did not arrive is empty. */
    record NodePage(NodeLedgerView node, Optional<NodeLedgerView> ledger, Optional<Ranking> ranking, Why.Known why) {}

    static JsonText.Content of(VmPage page) {
        return json -> json.object("vm", vm -> vm(vm, page))
                .object("reservation", page.reservation(), MessageJson::plain)
                .object("history", history -> history(history, page.history()))
                .text("now", page.why().sentence())
                .text("stays", page.why().stays())
                .text("helps", GrantText.sentence(page.why().nearest()))
                .text("target", GrantText.target(page.why().target()))
                .array("why", page.why().reasons(), WhyJson::entry);
    }

    private static void vm(JsonText json, VmPage page) throws IOException {
        var observed = page.observed();
        FleetJson.vmReservations(json, page.view());
        json.object(
                        "bounds",
                        bounds -> bounds.amount("min", observed.sizes().min())
                                .amount("max", observed.sizes().max()))
                .number("slotBytes", observed.sizes().slotBytes())
                .amount("computeUnit", page.vm().unit())
                .text("fence", observed.fence())
                .text("podName", observed.podName())
                .text("pod", observed.pod())
                .text("metricsAt", place(observed.metrics()))
                .text("fileCacheAt", place(observed.fileCache()))
                .text("monitorAt", place(observed.monitor()))
                .object("basis", page.vm().status().map(RunnerStatus::basis), DetailJson::basis);
        traits(json, observed.traits());
    }

    private static void traits(JsonText json, VmTraits traits) throws IOException {
        json.text("endpointId", traits.endpointId())
                .text("projectId", traits.projectId())
                .number("restarts", traits.restarts())
                .text("extraIp", traits.extraIp())
                .flag("billed", traits.billedTo().isPresent())
                .texts("complaints", traits.complaints());
    }

    /**
     * What was billed of a VM; {@code known} is whether the process that leads billing replied, and {@code reason} why
     * it is not.
     */
    static JsonText.Content of(VmBill bill) {
        return switch (bill) {
            case VmBill.Billed(var since, var hours) ->
                json -> json.flag("known", true)
                        .number("since", since.toEpochMilli())
                        .array("hours", hours, DetailJson::hour);
            case VmBill.Unknown(var vmsMax) ->
                unknownBill("more VMs are billed than the " + vmsMax + " whose bills are kept");
        };
    }

    /** The same without a reply. */
    static JsonText.Content unknownBill(String reason) {
        return json -> json.flag("known", false).text("reason", reason);
    }

    private static void hour(JsonText json, VmBill.Hour hour) throws IOException {
        json.open(fields -> fields.number("at", hour.startSeconds() * 1_000)
                .number("computeSeconds", hour.computeSeconds())
                .number("activeSeconds", hour.activeSeconds())
                .number("restartMs", hour.restartMs())
                .number("watchMs", hour.watchMs()));
    }

    private static String place(Optional<Endpoint> endpoint) {
        return endpoint.map(at -> at.host() + ":" + at.port() + at.path()).orElse("");
    }

    private static void basis(JsonText json, GoalBasis basis) throws IOException {
        json.open(fields -> fields.number("goalCu", basis.goalCu())
                .number("cpuCu", basis.cpuCu())
                .number("memoryCu", basis.memoryCu())
                .number("lfcCu", basis.lfcCu())
                .number("load1", basis.load1())
                .number("load5", basis.load5())
                .number("usageBytes", basis.usageBytes().map(Math::round))
                .number("requestedCu", basis.requestedCu())
                .number("deniedCu", basis.deniedCu()));
    }

    private static void history(JsonText json, List<ChartHistory.Point> points) throws IOException {
        json.number("coarseStepMs", ChartHistory.COARSE_STEP_MS)
                .number("stepMs", ChartHistory.STEP_MS)
                .number("fineStepMs", ChartHistory.FINE_STEP_MS)
                .array("at", points, (out, point) -> out.out().writeNumber(point.atMs()))
                .array("cpuSize", points, (out, point) -> out.numberOrNull(cpu(point.size())))
                .array("cpuGoal", points, (out, point) -> out.numberOrNull(cpu(point.goal())))
                .array("memSize", points, (out, point) -> out.numberOrNull(memory(point.size())))
                .array("memGoal", points, (out, point) -> out.numberOrNull(memory(point.goal())))
                .array("load1", points, (out, point) -> out.numberOrNull(point.load1()))
                .array("usage", points, (out, point) -> out.numberOrNull(point.usageBytes()));
    }

    private static Optional<Long> cpu(Optional<Resources> amount) {
        return amount.map(Resources::milliCpu);
    }

    private static Optional<Long> memory(Optional<Resources> amount) {
        return amount.map(Resources::memoryBytes);
    }

    static JsonText.Content of(NodePage page) {
        var numbers = PressureNumbers.of(page.node());
        var reservations = page.ledger().map(NodeLedgerView::reservations).orElse(List.of());
        return json -> json.object("node", node -> {
                    FleetJson.nodeReservations(node, page.node());
                    node.amount("logical", numbers.logical()).amount("slack", numbers.slack());
                })
                .object("kept", page.node().kept(), MessageJson::plain)
                .flag("reservationsKnown", page.ledger().isPresent())
                .array("reservations", reservations, DetailJson::reservation)
                .object("gpus", page.ledger(), DetailJson::gpus)
                .flag("rankingKnown", page.ranking().isPresent())
                .array("ranking", page.ranking().map(Ranking::ranks).orElse(List.of()), DetailJson::rank)
                .text("now", page.why().sentence())
                .array("why", page.why().reasons(), WhyJson::entry);
    }

    private static void reservation(JsonText json, ReservationView reservation) throws IOException {
        var traits = reservation.traits();
        json.open(fields -> fields.text("pod", reservation.pod())
                .text("namespace", reservation.namespace())
                .text("name", reservation.name())
                .text("vm", reservation.vmName())
                .amount("reserved", reservation.reserved())
                .amount("charge", traits.charge())
                .amount("requested", reservation.requested())
                .amount("pressure", reservation.pressure())
                .amount("buffer", reservation.buffer())
                .amount("max", reservation.max())
                .flag("migrating", reservation.migrating())
                .flag("recovered", reservation.recovered())
                .flag("found", reservation.contact() == AgentContact.FOUND)
                .flag("held", traits.held())
                .flag("migrationTarget", traits.migrationTarget())
                .flag("autoscaled", traits.autoscaled())
                .flag("migratable", traits.migratable())
                .number("load1", traits.load1())
                .number("createdAt", traits.createdAtSeconds() * 1_000));
    }

    private static void gpus(JsonText json, NodeLedgerView node) throws IOException {
        json.open(fields -> fields.text("mode", node.devices().mode().name().toLowerCase(Locale.ROOT))
                .array("devices", node.devices().devices(), (out, device) -> gpu(out, device, node)));
    }

    private static void gpu(JsonText json, Device device, NodeLedgerView node) throws IOException {
        var memory = Device.memoryOf(device.uuid());
        var core = Device.coreOf(device.uuid());
        var sharing = node.reservations().stream()
                .filter(reservation -> reservation.traits().fixed().of(memory) > 0
                        || reservation.traits().fixed().of(core) > 0)
                .toList();
        json.open(fields -> fields.text("uuid", device.uuid())
                .number("minor", device.minor())
                .text("model", device.model())
                .flag("healthy", device.healthy())
                .number("zone", device.zone())
                .number("memory", device.memoryMiB() << MIB_SHIFT)
                .number("memoryReserved", node.fixedReserved().of(memory) << MIB_SHIFT)
                .number("core", device.core())
                .number("coreReserved", node.fixedReserved().of(core))
                .array(
                        "shares",
                        sharing,
                        (out, reservation) -> out.open(share -> share.text("pod", reservation.pod())
                                .text("namespace", reservation.namespace())
                                .text("name", reservation.name())
                                .text("vm", reservation.vmName())
                                .flag("held", reservation.traits().held())
                                .number("memory", reservation.traits().fixed().of(memory) << MIB_SHIFT)
                                .number("core", reservation.traits().fixed().of(core)))));
    }

    private static void rank(JsonText json, Ranking.Rank rank) throws IOException {
        json.open(fields -> fields.text("pod", rank.pod())
                .text("vm", rank.vmName())
                .flag("candidate", rank.candidate())
                .text("reason", rank.reason()));
    }
}
