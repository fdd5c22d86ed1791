package io.sluice.gateway.console;

import io.sluice.gateway.core.console.ChartHistory;
import io.sluice.gateway.core.console.VmStatus;
import io.sluice.gateway.core.console.VmView;
import io.sluice.gateway.core.console.Why;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.pressure.Ranking;
import io.sluice.units.Resources;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What the pages of one VM and of one node read. */
final class DetailJson {
    private DetailJson() {}

    /** All that is told of a VM; what the ledger could not be asked is empty. */
    record VmPage(
            VmStatus vm,
            VmObserved seen,
            VmView view,
            Optional<ReservationView> member,
            List<ChartHistory.Point> history,
            Why.Known why) {}

    /** All that is told of a node; what nobody answered is empty. */
    record NodePage(NodeLedgerView node, Optional<NodeLedgerView> books, Optional<Ranking> ranking, Why.Known why) {}

    static JsonText.Content of(VmPage page) {
        return json -> json.object("vm", vm -> vm(vm, page))
                .object("member", page.member(), MessageJson::plain)
                .object("history", history -> history(history, page.history()))
                .text("now", page.why().sentence())
                .array("why", page.why().reasons(), WhyJson::reason);
    }

    private static void vm(JsonText json, VmPage page) throws IOException {
        var seen = page.seen();
        FleetJson.vmMembers(json, page.view());
        json.object(
                        "bounds",
                        bounds -> bounds.amount("min", seen.sizes().min())
                                .amount("max", seen.sizes().max()))
                .number("slotBytes", seen.sizes().slotBytes())
                .amount("computeUnit", page.vm().unit())
                .text("fence", seen.fence())
                .text("podName", seen.podName())
                .text("pod", seen.pod())
                .text("metricsAt", place(seen.metrics()))
                .text("fileCacheAt", place(seen.fileCache()))
                .text("monitorAt", place(seen.monitor()))
                .object("basis", page.vm().status().map(RunnerStatus::basis), DetailJson::basis);
        traits(json, seen.traits());
    }

    private static void traits(JsonText json, VmTraits traits) throws IOException {
        json.text("endpointId", traits.endpointId())
                .text("projectId", traits.projectId())
                .number("restarts", traits.restarts())
                .text("extraIp", traits.extraIp())
                .texts("complaints", traits.complaints());
    }

    private static String place(Optional<Endpoint> endpoint) {
        return endpoint.map(at -> at.host() + ":" + at.port() + at.path()).orElse("");
    }

    private static void basis(JsonText json, GoalBasis basis) throws IOException {
        json.open(members -> members.number("goalCu", basis.goalCu())
                .number("cpuCu", basis.cpuCu())
                .number("memoryCu", basis.memoryCu())
                .number("lfcCu", basis.lfcCu())
                .number("load1", basis.load1())
                .number("load5", basis.load5())
                .number("usageBytes", basis.usageBytes().map(Math::round))
                .number("requestedCu", basis.requestedCu())
                .number("vetoedCu", basis.vetoedCu()));
    }

    private static void history(JsonText json, List<ChartHistory.Point> points) throws IOException {
        json.number("stepMs", ChartHistory.STEP_MS)
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
        var members = page.books().map(NodeLedgerView::members).orElse(List.of());
        return json -> json.object("node", node -> {
                    FleetJson.nodeMembers(node, page.node());
                    node.amount("logical", numbers.logical()).amount("slack", numbers.slack());
                })
                .flag("membersKnown", page.books().isPresent())
                .array("members", members, DetailJson::member)
                .flag("rankingKnown", page.ranking().isPresent())
                .array("ranking", page.ranking().map(Ranking::ranks).orElse(List.of()), DetailJson::rank)
                .text("now", page.why().sentence())
                .array("why", page.why().reasons(), WhyJson::reason);
    }

    private static void member(JsonText json, ReservationView member) throws IOException {
        var traits = member.traits();
        json.open(members -> members.text("member", member.member())
                .text("namespace", member.namespace())
                .text("name", member.name())
                .text("vm", member.vmName())
                .amount("reserved", member.reserved())
                .amount("charge", traits.charge())
                .amount("requested", member.requested())
                .amount("pressure", member.pressure())
                .amount("buffer", member.buffer())
                .amount("max", member.max())
                .flag("migrating", member.migrating())
                .flag("recovered", member.recovered())
                .flag("held", traits.held())
                .flag("migrationTarget", traits.migrationTarget())
                .flag("autoscaled", traits.autoscaled())
                .flag("migratable", traits.migratable())
                .number("load1", traits.load1())
                .number("createdAt", traits.createdAtSeconds() * 1_000));
    }

    private static void rank(JsonText json, Ranking.Rank rank) throws IOException {
        json.open(members -> members.text("member", rank.member())
                .text("vm", rank.vmName())
                .flag("candidate", rank.candidate())
                .text("reason", rank.reason()));
    }
}
