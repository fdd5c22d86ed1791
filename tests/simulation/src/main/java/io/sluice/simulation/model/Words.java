package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.permit.PermitReply;
import java.util.regex.Pattern;

/** Formats commands and replies as readable lines. */
final class Words {
    private static final Pattern AMOUNT = Pattern.compile("Resources\\[milliCpu=(\\d+), memoryBytes=(\\d+)]");
    private static final Pattern NOISE = Pattern.compile(
            "(, )?(overcommit|overrides|traits|metrics|fileCache|monitor|computeUnit|load1|driver|cpu|memory)="
                    + "(Optional\\.empty|\\w*\\[[^\\[\\]]*]|Optional\\[\\w*\\[[^\\[\\]]*]]|[\\w.]+)");
    private static final int LONGEST = 600;

    private Words() {}

    static String of(Object value) {
        return switch (value) {
            case LedgerCommand.ObserveVm(var vm) ->
                "observe " + vm.vm().name() + " v" + vm.version() + " in " + vm.podName() + " " + vm.phase() + " "
                        + World.text(vm.sizes().spec()) + " is "
                        + vm.sizes().status().map(World::text).orElse("-")
                        + " max " + World.text(vm.sizes().max()) + (vm.autoscaled() ? "" : " off");
            case LedgerCommand.ObservePod(var pod) ->
                "observe " + pod.name() + " v" + pod.version() + " " + World.text(pod.amounts()) + " "
                        + pod.migration();
            case LedgerCommand.ObserveNode(var node) ->
                "observe node v" + node.version() + " " + World.text(node.allocatable());
            case LedgerCommand.Load(var load) ->
                "load v" + load.version() + " "
                        + load.pods().stream().map(pod -> pod.name()).toList() + " "
                        + load.vms().stream().map(vm -> vm.vm().name()).toList();
            case LedgerCommand.RequestPermit(var request, var _) ->
                request.runner() + " requests " + World.text(request.target()) + " in " + request.session() + "/"
                        + request.seq();
            case PermitReply.Ruled ruled ->
                "permit " + World.text(ruled.permit()) + (ruled.migrating() ? ", migrating" : "");
            default -> shortened(String.valueOf(value));
        };
    }

    private static String shortened(String whole) {
        var text = AMOUNT.matcher(whole)
                .replaceAll(found -> found.group(1) + "m/" + (Long.parseLong(found.group(2)) >> 30) + "Gi");
        var shorter = NOISE.matcher(text).replaceAll("");
        return shorter.length() <= LONGEST ? shorter : shorter.substring(0, LONGEST) + "...";
    }
}
