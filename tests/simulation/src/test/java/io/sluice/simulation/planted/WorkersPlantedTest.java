package io.sluice.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories of workers find mistakes in the rules of workers. */
class WorkersPlantedTest {
    private static final String WORKERS = "verticles/workers/src/main/java/io/sluice/workers/core/";
    private static final int HISTORIES = 40;

    static Stream<PlantedBug> bugs() {
        return Stream.of(
                PlantedBug.of(
                        "lost before the fence has ended",
                        WORKERS + "WorkerRules.java",
                        "if (!now.isBefore(worker.since().plus(timing.lost()))) {",
                        "if (!now.isBefore(worker.since().plus(timing.lease()))) {"),
                PlantedBug.of(
                        "an empty inventory of a new start is proof",
                        WORKERS + "WorkerRules.java",
                        "if (instance.spec().exclusive() && restarted.isPresent()) {",
                        "if (instance.removed() && restarted.isPresent()) {"),
                PlantedBug.of(
                        "an order that was not acknowledged is forgotten",
                        WORKERS + "InstanceRules.java",
                        "if (instance.spec().exclusive()) { stopFirst(instance, reason, now); return; }"
                                + " var worker = instance.worker(); refused(instance, reason, now);",
                        "var worker = instance.worker(); refused(instance, reason, now);"),
                PlantedBug.of(
                        "an instance on a suspect worker holds no room",
                        WORKERS + "InstanceState.java",
                        "case ASSIGNED, CREATING, RUNNING, UNKNOWN, REPLACED, RECREATING, DESTROYING -> true;"
                                + " case PENDING, TERMINATED, FAILED -> false;",
                        "case ASSIGNED, CREATING, RUNNING, REPLACED, RECREATING, DESTROYING -> true;"
                                + " case PENDING, TERMINATED, FAILED, UNKNOWN -> false;"),
                PlantedBug.of(
                        "a gang starts with those of its members that have room",
                        WORKERS + "GangRules.java",
                        "if (usable.size() >= attempt.needed) {",
                        "if (!usable.isEmpty()) {"));
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void isFound(PlantedBug bug) throws ReflectiveOperationException {
        var play = Mutant.of(bug)
                .loadClass("io.sluice.simulation.workers.WorkerHistory")
                .getMethod("play", long.class);
        assertThat(LongStream.rangeClosed(1, HISTORIES).mapToObj(seed -> played(play, seed)))
                .as(bug.name())
                .anyMatch(broken -> !broken.isEmpty());
    }

    private static String played(Method play, long seed) {
        try {
            return (String) play.invoke(null, seed);
        } catch (ReflectiveOperationException thrown) {
            throw new AssertionError(thrown);
        }
    }
}
