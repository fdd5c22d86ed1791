package io.sluice.simulation.planted;

import java.util.List;

/** The mistakes that no version of the product may ever contain. */
final class PlantedBugs {
    private static final String LEDGER = "verticles/scheduler-ledger/src/main/java/io/sluice/ledger/core/";
    private static final String SCALING = "verticles/agent-runner/src/main/java/io/sluice/agent/core/scaling/";
    private static final String INFORMERS = "verticles/neonvm-patcher/src/main/java/io/sluice/neonvm/core/";
    private static final String RUNNER = "verticles/agent-runner/src/main/java/io/sluice/agent/core/runner/";

    /** No mistake at all: what is planted is what stood there before. */
    static final PlantedBug NOTHING =
            PlantedBug.of("nothing", LEDGER + "KindRule.java", "if (asked.moving) {", "if (asked.moving) {");

    static final List<PlantedBug> ALL = List.of(
            PlantedBug.of(
                    "stale seq accepted",
                    LEDGER + "Sessions.java",
                    "if (question.seq() > talk.seq()) {",
                    "if (question.seq() != talk.seq()) {"),
            PlantedBug.of(
                    "stored answer forgotten",
                    LEDGER + "Sessions.java",
                    "return talk.last()",
                    "return Optional.<Talk.Taken>empty()"),
            PlantedBug.of(
                            "session not fenced",
                            LEDGER + "Sessions.java",
                            "if (question.session() < talk.session()) {",
                            "if (question.session() < 0) {")
                    .and(
                            "if (!question.runner().isEmpty() && !question.runner().equals(talk.runner())) {",
                            "if (question.session() < 0) {"),
            PlantedBug.of(
                    "buffer forgotten",
                    LEDGER + "VmFacts.java",
                    "reserved = reserved.max(vm.sizes().max());",
                    "reserved = reserved.max(vm.sizes().inUse());"),
            PlantedBug.of(
                    "grant while migrating",
                    LEDGER + "KindRule.java",
                    "if (asked.moving) {",
                    "if (asked.moving && asked.remaining == 0) {"),
            PlantedBug.of(
                    "lost release",
                    LEDGER + "Holding.java",
                    "return Outcome.of(state.without(id), new HoldReply.Released());",
                    "return Outcome.of(state, new HoldReply.Released());"),
            PlantedBug.of(
                    "decrease told before status",
                    SCALING + "ScalingCore.java",
                    "return config.strict() ? kept.max(reach) : kept;",
                    "return kept;"),
            PlantedBug.of(
                    "lapsed permit used",
                    SCALING + "SchedulerPart.java",
                    "return askedAt.plus(validFor);",
                    "return askedAt.plus(validFor).plusSeconds(3_600);"),
            PlantedBug.of(
                    "partial listing taken as whole",
                    LEDGER + "Seen.java",
                    "return pod.isPresent() && pod.get().version() <= listing;",
                    "return pod.isPresent();"),
            PlantedBug.of(
                    "stale \"gone\" believed",
                    INFORMERS + "Known.java",
                    "if (!held.contains(key.apply(known)) && version.applyAsLong(known) <= part.version()) {",
                    "if (!held.contains(key.apply(known))) {"),
            PlantedBug.of(
                    "two migrations counting on one room",
                    LEDGER + "Holding.java",
                    "return Outcome.of(state.with(held), stands(held, now));",
                    """
                    boolean another = known.isEmpty() && !charge.exceeds(state.sums().held());
                    return Outcome.of(another ? state : state.with(held), stands(held, now));\
                    """),
            PlantedBug.of(
                    "a late patch after a time-out forgotten",
                    SCALING + "NeonVmPart.java",
                    "exposure.lost(underWay.patch().target());",
                    "failedAt = Optional.of(at);"),
            PlantedBug.of(
                    "stale status believed",
                    SCALING + "Exposure.java",
                    "return told.revision().isPresent() && told.revision().getAsLong() <= shown;",
                    "return told.revision().isPresent();"),
            PlantedBug.of(
                    "lapse revived",
                    SCALING + "SchedulerPart.java",
                    "new Permit(granted, question.at(), valid)",
                    "new Permit(granted, at, valid)"),
            PlantedBug.of("unfenced runner", RUNNER + "Fence.java", """
                return nobodys ? new Verdict.Nobodys() : new Verdict.Foreign();\
                """, """
                long found = number(read.substring(slash + 1));
                return new Verdict.Ours(new Fence(readOwner, found, found));\
                """),
            PlantedBug.of(
                    "max lowered while recovered",
                    LEDGER + "VmFacts.java",
                    "amounts.reserving(lost ? wanted.max(reserved) : wanted)",
                    "amounts.reserving(wanted)"));

    private PlantedBugs() {}
}
