package io.sluice.simulation.planted;

import java.util.List;

/** The mistakes that are planted in the driver of pods, and in what is read of them. */
final class ScaledPodBugs {
    private static final String DRIVER = "verticles/pod-resizer/src/main/java/io/sluice/pods/core/";
    private static final String READ = "verticles/shell/src/main/java/io/sluice/shell/pods/";
    private static final String INFORMERS = "verticles/neonvm-patcher/src/main/java/io/sluice/neonvm/core/objects/";

    static final List<PlantedBug> ALL = List.of(
            PlantedBug.of(
                            "a withdrawal is not awaited",
                            DRIVER + "ResizeAttempt.java",
                            "now.isBefore(until) ? new Step.Await(until) : inDoubt(why + \"; the status does not show"
                                    + " that yet\");",
                            "refused(0, why);")
                    .withScaledPods(),
            PlantedBug.of(
                            "a resize that is not seen counts as refused",
                            DRIVER + "ResizeAttempt.java",
                            "? new Step.Withdraw(false, \"the kubelet did not accept it before its permit had"
                                    + " lapsed\")",
                            "? refused(0, \"not seen\")")
                    .withScaledPods(),
            PlantedBug.of(
                            "a deferred resize counts as refused",
                            DRIVER + "ResizeAttempt.java",
                            "? new Step.Withdraw(false, \"the kubelet deferred it until its permit had lapsed: \" +"
                                    + " reason)",
                            "? refused(0, reason)")
                    .withScaledPods(),
            PlantedBug.of(
                            "a resize tests no version",
                            DRIVER + "ResizePlan.java",
                            "test(ops, \"/metadata/resourceVersion\", pod.version()); test(ops,"
                                    + " path(ScaledPodKeys.FENCE), pod.fence());",
                            "test(ops, path(ScaledPodKeys.FENCE), pod.fence());")
                    .from(530)
                    .withScaledPods(),
            PlantedBug.of(
                            "a resize tests neither version nor fence",
                            DRIVER + "ResizePlan.java",
                            "test(ops, \"/metadata/resourceVersion\", pod.version()); test(ops,"
                                    + " path(ScaledPodKeys.FENCE), pod.fence());",
                            "")
                    .withScaledPods(),
            PlantedBug.of(
                            "the goal counts before its resize",
                            DRIVER + "ResizePlan.java",
                            "(same ? pod.generation() : pod.generation() + 1)",
                            "(same ? pod.generation() : pod.generation())")
                    .from(2500)
                    .withScaledPods(),
            PlantedBug.of(
                            "memory given back at its request",
                            READ + "ScaledPod.java",
                            "return limit == 0 || actual <= limit ? 0",
                            "return limit >= 0 ? 0")
                    .withScaledPods(),
            PlantedBug.of(
                            "given back at its spec",
                            READ + "ScaledPod.java",
                            "var held = PodJson.quantities(found.path(\"allocatedResources\")).max(PodJson.quantities("
                                    + "actual.path(REQUESTS)));",
                            "var held = requests();")
                    .from(110)
                    .withScaledPods(),
            PlantedBug.of(
                            "a claimed pod is no VM for informers that begin anew",
                            INFORMERS + "ScaledPodReader.java",
                            "&& !wasScaled(pod) ||",
                            "||")
                    .withScaledPods());

    private ScaledPodBugs() {}
}
