package io.sluice.simulation.planted;

import java.util.List;

/** The mistakes that are planted. */
final class PlantedBugs {
    private static final String LEDGER = "verticles/scheduler-ledger/src/main/java/io/sluice/ledger/core/";
    private static final String MESSAGES = "bus-codecs/src/main/java/io/sluice/messages/cluster/";
    private static final String DEVICES = "bus-codecs/src/main/java/io/sluice/devices/";
    private static final String SCALING = "verticles/agent-runner/src/main/java/io/sluice/agent/core/scaling/";
    private static final String INFORMERS = "verticles/neonvm-patcher/src/main/java/io/sluice/neonvm/core/observed/";
    private static final String PLACEMENT = "verticles/placement/src/main/java/io/sluice/placement/core/";
    private static final String PODS = "tests/simulation/src/main/java/io/sluice/simulation/model/placement/";
    private static final String EXHAUSTIVE = "tests/simulation/src/main/java/io/sluice/simulation/exhaustive/";
    private static final String PRESSURE = "verticles/pressure/src/main/java/io/sluice/pressure/core/";
    private static final String GATEWAY = "verticles/gateway/src/main/java/io/sluice/gateway/core/";
    private static final String RUNNER = "verticles/agent-runner/src/main/java/io/sluice/agent/core/runner/";

    /** No mistake: the replacement equals the original. */
    static final PlantedBug NOTHING =
            PlantedBug.of("nothing", LEDGER + "PermitKindRule.java", "if (request.moving) {", "if (request.moving) {");

    static final List<PlantedBug> ALL = List.of(
            PlantedBug.of(
                    "stale seq accepted",
                    LEDGER + "Sessions.java",
                    "if (request.seq() > session.seq()) {",
                    "if (request.seq() != session.seq()) {"),
            PlantedBug.of(
                    "stored answer forgotten",
                    LEDGER + "Sessions.java",
                    "return session.last()",
                    "return Optional.<AgentSession.Taken>empty()"),
            PlantedBug.of(
                            "session not fenced",
                            LEDGER + "Sessions.java",
                            "if (request.session() < session.session()) {",
                            "if (request.session() < 0) {")
                    .and(
                            "if (!request.runner().isEmpty() && !request.runner().equals(session.runner())) {",
                            "if (request.session() < 0) {"),
            PlantedBug.of(
                    "buffer forgotten",
                    LEDGER + "VmObservationRules.java",
                    "reserved = reserved.max(vm.sizes().max());",
                    "reserved = reserved.max(vm.sizes().inUse());"),
            PlantedBug.of(
                    "grant while migrating",
                    LEDGER + "PermitKindRule.java",
                    "if (request.moving) {",
                    "if (request.moving && request.remaining == 0) {"),
            PlantedBug.of(
                    "lost release",
                    LEDGER + "HoldRules.java",
                    "return CommandOutcome.of(own ? ended.without(id) : ended, new HoldReply.Released());",
                    "return CommandOutcome.of(ended, new HoldReply.Released());"),
            PlantedBug.of(
                            "a late hold comes back",
                            LEDGER + "HoldRules.java",
                            "if (state.gone().ended(command.attempt())) {",
                            "if (state.gone().ended(command.attempt()) && known.isPresent()) {")
                    .from(60),
            PlantedBug.of(
                            "a hold that was decided on a lost state",
                            LEDGER + "HoldRules.java",
                            ".filter(it -> !present.equals(Optional.of(it)))",
                            ".filter(it -> false)")
                    .from(1_000_480),
            PlantedBug.of(
                            "a hold that names no state is repeated",
                            PRESSURE + "migrations/RemoteRequests.java",
                            "&& rooms.isComplete(migration.about().to())) {",
                            "&& rooms != null) {")
                    .from(1_014_240),
            PlantedBug.of(
                            "unmark ignores the attempt",
                            LEDGER + "MigrationMarkRules.java",
                            "reservation.status().mark(request.attempt()).isPresent()",
                            "reservation.status().migrating()")
                    .and(
                            "reservation.status().withoutMark(request.attempt())",
                            "reservation.status().withoutMark(reservation.status().marks().getFirst().attempt())"),
            PlantedBug.of(
                    "mark removed without proof",
                    INFORMERS + "MarkEnds.java",
                    "boolean stays = migration.phase() == MigrationPhase.FAILED",
                    "boolean stays = migration.deleting() || migration.phase() == MigrationPhase.FAILED"),
            PlantedBug.of(
                    "mark removed by a list from before it",
                    MESSAGES + "ObservedMigrations.java",
                    "return observedAt <= version && !uids.contains(uid);",
                    "return !uids.contains(uid);"),
            PlantedBug.of(
                    "request taken for what is in use",
                    LEDGER + "GrowthBaseline.java",
                    "(moving || state.isOver(kind) ? known : reserved).of(kind)",
                    "reserved.of(kind)"),
            PlantedBug.of(
                            "exposure forgotten",
                            LEDGER + "GrowthBaseline.java",
                            "use -> use.exposure().min(reserved)",
                            "use -> use.inUse().min(reserved)")
                    .from(33),
            PlantedBug.of(
                    "decrease believed at once",
                    LEDGER + "GrowthBaseline.java",
                    "var stays = observed.max(",
                    "var stays = Resources.NONE.max("),
            PlantedBug.of(
                    "last permit forgotten",
                    LEDGER + "GrowthBaseline.java",
                    "var stays = observed.max(named);",
                    "var stays = observed;"),
            PlantedBug.of(
                    "decrease reported before status",
                    SCALING + "ScalingCore.java",
                    "return config.strict() ? kept.max(reach) : kept;",
                    "return kept;"),
            PlantedBug.of(
                    "lapsed permit used",
                    SCALING + "SchedulerPart.java",
                    "return requestedAt.plus(validFor);",
                    "return requestedAt.plus(validFor).plusSeconds(3_600);"),
            PlantedBug.of(
                    "partial listing taken as whole",
                    LEDGER + "state/Observations.java",
                    "return pod.isPresent() && pod.get().version() <= fullList;",
                    "return pod.isPresent();"),
            PlantedBug.of(
                            "stale \"gone\" believed",
                            INFORMERS + "ObjectIndex.java",
                            "if (!held.contains(key.apply(known)) && version.applyAsLong(known) <= part.version()) {",
                            "if (!held.contains(key.apply(known))) {")
                    .from(30),
            PlantedBug.of(
                            "two migrations counting on one room",
                            LEDGER + "HoldRules.java",
                            "return CommandOutcome.of(state.with(held), reply);",
                            """
                            boolean another = known.isEmpty() && !charge.exceeds(state.sums().held());
                            return CommandOutcome.of(another ? state : state.with(held), reply);\
                            """)
                    .from(70),
            PlantedBug.of(
                    "a late patch after a time-out forgotten",
                    SCALING + "NeonVmPart.java",
                    "exposure.lost(underWay.patch().target());",
                    "failedAt = Optional.of(at);"),
            PlantedBug.of(
                    "stale status believed",
                    SCALING + "Exposure.java",
                    "return reported.revision().isPresent() && reported.revision().getAsLong() <= shown;",
                    "return reported.revision().isPresent();"),
            PlantedBug.of(
                            "lapse revived",
                            SCALING + "SchedulerPart.java",
                            "new Permit(granted, request.at(), valid)",
                            "new Permit(granted, at, valid)")
                    .from(80),
            PlantedBug.of("unfenced runner", RUNNER + "Fence.java", """
                return nobodys ? new Outcome.Nobodys() : new Outcome.Foreign();\
                """, """
                long found = number(read.substring(slash + 1));
                return new Outcome.Ours(new Fence(readOwner, found, found));\
                """),
            PlantedBug.of(
                    "a list from before a loss completes a lost ledger",
                    LEDGER + "FullListRules.java",
                    "if (fresh && !fullList.relist().equals(needed)) {",
                    "if (newEpoch && !fullList.relist().equals(needed) || fullList.isAhead()) {"),
            PlantedBug.of(
                    "the incarnation of before a loss used again",
                    LEDGER + "NodeLedger.java",
                    "state.named(incarnation, now)",
                    "state.named(1, now)"),
            PlantedBug.of(
                            "state of an older term accepted",
                            "verticles/scheduler-ledger/src/main/java/io/sluice/ledger/clustered/StoredState.java",
                            "return wanted.equals(term());",
                            "return true;")
                    .from(48),
            PlantedBug.of(
                            "a pause of the gateway unnoticed until its next tick",
                            GATEWAY + "EventLoopLag.java",
                            "return now.isBefore(lateUntil) || Duration.between(due, now).compareTo(most) > 0;",
                            "return now.isBefore(lateUntil);")
                    .withGatewayPauses(),
            PlantedBug.of(
                            "a pause of the gateway forgotten at its next tick",
                            GATEWAY + "EventLoopLag.java",
                            "lateUntil = now.plus(late.compareTo(AGAIN_MAX) < 0 ? late : AGAIN_MAX);",
                            "lateUntil = now;")
                    .withGatewayPauses(),
            PlantedBug.of(
                            "one rate for all agents",
                            GATEWAY + "RateLimiter.java",
                            "spentUntil.put(pod, spent(pod, now).plusNanos(nanosEach));",
                            "spentUntil.put(\"\", spent(\"\", now).plusNanos(nanosEach));")
                    .from(75)
                    .and("var from = spent(pod, now);", "var from = spent(\"\", now);"),
            PlantedBug.of(
                            "a VM without its pod dropped in silence",
                            LEDGER + "VmObservationRules.java",
                            "misses(state, vm) ? ObservationReply.POD_MISSING : ObservationReply.DROPPED",
                            "ObservationReply.DROPPED")
                    .from(40),
            PlantedBug.of(
                    "max lowered while recovered",
                    LEDGER + "VmObservationRules.java",
                    "amounts.reserving(lost ? wanted.max(reserved) : wanted)",
                    "amounts.reserving(wanted)"),
            PlantedBug.of(
                    "switched off booked at its use at once",
                    LEDGER + "VmObservationRules.java",
                    "return reservation.status().contact() == Contact.REQUESTED ||",
                    "return !reservation.status().contact().afterLoss() ||"),
            PlantedBug.of(
                            "switched off before a loss counted at its use",
                            LEDGER + "VmObservationRules.java",
                            "return vm.autoscaled() || was;",
                            "return vm.autoscaled() || was && vm.fence().isEmpty();")
                    .from(160),
            PlantedBug.of(
                            "found past the ledger never settled",
                            "bus-codecs/src/main/java/io/sluice/messages/ledger/AgentContact.java",
                            "case RECOVERED, FOUND, SWITCHED_OFF -> true; case RECLAIMED, REQUESTED -> false;",
                            "case RECOVERED, SWITCHED_OFF -> true; case FOUND, RECLAIMED, REQUESTED -> false;")
                    .from(108),
            PlantedBug.of(
                    "growth on a node that is not ready",
                    LEDGER + "NodeObservationRules.java",
                    ".filter(it -> !now.isBefore(it.since().plus(rules.notReadyGrace())))",
                    ".filter(it -> !now.isBefore(it.since().plusSeconds(60)))"),
            PlantedBug.of(
                            "room held on a node that is not ready",
                            LEDGER + "HoldRules.java",
                            "if (grows && state.size().notReady().isPresent()) {",
                            "if (grows && state.size().notReady().isPresent() && known.isPresent()) {")
                    .from(28),
            PlantedBug.of(
                            "the next agent not told of what is reserved",
                            LEDGER + "Sessions.java",
                            "reservation.amounts().reserved(), reservation.status()",
                            "reservation.limits().min(), reservation.status()")
                    .from(5_000_984),
            PlantedBug.of(
                            "room released for a VM that moved uncounted",
                            "verticles/pressure/src/main/java/io/sluice/pressure/core/migrations/DesiredStateRules.java",
                            "migration.objectOver() && (!migration.moved() || arrival.gone());",
                            "migration.objectOver();")
                    .from(1_014_666),
            PlantedBug.of(
                            "decrease after a loss believed unobserved",
                            LEDGER + "GrowthBaseline.java",
                            "current ? stays : permitted",
                            "current || !contact.isAnswered() ? stays : permitted")
                    .from(1_014_582),
            PlantedBug.of(
                            "last permit forgotten once reclaimed",
                            LEDGER + "GrowthBaseline.java",
                            "contact.afterLoss() ? named.min(reservation.limits().max()) : Resources.NONE",
                            "Resources.NONE")
                    .from(1_066_708),
            PlantedBug.of(
                            "a locked VM grows where its mark was lost",
                            LEDGER + "state/Reservation.java",
                            "return status.migrating() || observations.locked();",
                            "return status.migrating();")
                    .from(3_110_045),
            PlantedBug.of(
                            "a mark tells what is reserved before the VM is observed",
                            LEDGER + "MigrationMarkRules.java",
                            "case UNDER_WAY, BEGINNING -> unobserved(reservation);",
                            "case UNDER_WAY, BEGINNING -> Optional.empty();")
                    .from(3_141_614),
            PlantedBug.of(
                            "a Binding without the pod's version",
                            PODS + "ModelPod.java",
                            "return version != observed;",
                            "return false;")
                    .from(1_030)
                    .withPods(),
            PlantedBug.of(
                            "a bind in doubt believed refused",
                            PLACEMENT + "PlacementAttempt.java",
                            "return reply.map(this::bound).orElseGet(this::touch);",
                            "return reply.map(this::bound).orElseGet(() -> notBound(\"no reply\"));")
                    .from(1_030)
                    .withPods(),
            PlantedBug.of(
                            "the hold of a bind ends with time",
                            PLACEMENT + "PlacementAttempt.java",
                            "pod.overcommit(), HoldRoom.UNTIL_RELEASED,",
                            "pod.overcommit(), java.time.Duration.ofSeconds(5),")
                    .withPods(),
            PlantedBug.of(
                            "a bind without a reply to its hold",
                            PLACEMENT + "PlacementAttempt.java",
                            "return new End(Outcome.HOLD_LOST, \"the ledger did not reply\", release());",
                            "return bind(GpuGrant.NONE);")
                    .withPods(),
            PlantedBug.of(
                            "room of CPU and memory is enough",
                            LEDGER + "HoldRules.java",
                            "if (grows && (wanted.exceeds(total) || !shortOf.isNone())) {",
                            "if (grows && wanted.exceeds(total)) {")
                    .withPods(),
            PlantedBug.of(
                            "kept room denies pods of lower priority alone",
                            LEDGER + "HoldRules.java",
                            "HoldRoom.isForMigration(pod.id()) || priority <= room.upTo()",
                            "HoldRoom.isForMigration(pod.id()) || priority < room.upTo()")
                    .withPods(),
            PlantedBug.of(
                            "a kept room never ends",
                            LEDGER + "state/RoomClaim.java",
                            "return !now.isBefore(until);",
                            "return false;")
                    .withPods(),
            PlantedBug.of(
                            "any gang takes the room that is kept for one",
                            LEDGER + "HoldRules.java",
                            "!room.isForAttempt(held.status().heldFor())",
                            "!held.status().heldFor().startsWith(\"gang-\")")
                    .from(100)
                    .withGangs(),
            PlantedBug.of(
                            "a GPU of a hold is not counted",
                            LEDGER + "state/Reservation.java",
                            "fixed.plus(GpuShare.taken(shares))",
                            "fixed.plus(GpuShare.taken(shares.subList(1, shares.size())))")
                    .withPods(),
            PlantedBug.of(
                            "the GPU of a hold forgotten once its pod is bound",
                            LEDGER + "PodObservationRules.java",
                            ".with(shares.isEmpty() ? reservation.shares() : shares);",
                            ".with(java.util.List.<GpuShare>of());")
                    .withPods(),
            PlantedBug.of(
                            "a gang bound with a part of it held",
                            PLACEMENT + "gangs/GangAttempt.java",
                            "return need.entrySet().stream().allMatch(gang -> held(gang.getKey()) >= gang.getValue());",
                            "return steps().anyMatch(Step.HELD::equals);")
                    .withGangs(),
            PlantedBug.of(
                            "the hold of a gang's pod that ended is left",
                            PLACEMENT + "gangs/GangCollector.java",
                            "if (hasEnded(uid)) {",
                            "if (hasEnded(uid) && uid.isEmpty()) {")
                    .withGangs(),
            PlantedBug.of(
                            "a pod counts in one NUMA zone, whichever its kubelet chooses",
                            DEVICES + "ZoneFit.java",
                            ".forEach(zone -> wanted.min(most.apply(zone))",
                            ".stream().limit(1).forEach(zone -> wanted.min(most.apply(zone))")
                    .withPods(),
            PlantedBug.of(
                            "the NUMA zones of a hold forgotten once its pod is bound",
                            LEDGER + "PodObservationRules.java",
                            ".plus(reservation.zoned())",
                            "")
                    .from(220)
                    .withPods());

    /** Mistakes of placement that exploring every short history alone looks for. */
    static final List<PlantedBug> IN_SHORT_HISTORIES = List.of(
            PlantedBug.of(
                    "a Binding of a pod that has changed",
                    EXHAUSTIVE + "PodState.java",
                    "return bind.version() == version;",
                    "return true;"),
            PlantedBug.of(
                    "a release frees the room of another attempt",
                    LEDGER + "HoldRules.java",
                    "known.filter(reservation -> reservation.status().heldFor().equals(command.attempt()))",
                    "known"),
            PlantedBug.of(
                    "a pod that is bound here believed bound elsewhere",
                    PLACEMENT + "PlacementAttempt.java",
                    "return bound.equals(node) ?",
                    "return bound.isEmpty() ?"));

    private PlantedBugs() {}
}
