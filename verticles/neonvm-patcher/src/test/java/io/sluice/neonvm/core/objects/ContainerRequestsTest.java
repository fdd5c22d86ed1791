package io.sluice.neonvm.core.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.units.Resources;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ContainerRequestsTest {
    static Stream<Arguments> pods() {
        return Stream.of(
                row("no container requests anything", 0, 0, "'containers':[{'name':'a'}]", ""),
                row("containers add up", 300, 30, "'containers':[" + c("a", 100, 10) + "," + c("b", 200, 20) + "]", ""),
                row(
                        "half a milli-CPU counts as one",
                        1,
                        0,
                        "'containers':[{'name':'a','resources':{'requests':{'cpu':'0.0005'}}}]",
                        ""),
                row(
                        "the largest init container counts if it is above the sum",
                        500,
                        30,
                        "'initContainers':[" + c("i", 500, 5) + "," + c("j", 400, 6) + "],'containers':["
                                + c("a", 100, 10) + "," + c("b", 200, 20) + "]",
                        ""),
                row(
                        "a restartable init container runs beside the others",
                        450,
                        35,
                        "'initContainers':[" + restartable("s", 150, 5) + "],'containers':[" + c("a", 100, 10) + ","
                                + c("b", 200, 20) + "]",
                        ""),
                row(
                        "an init container runs beside the restartable ones before it",
                        650,
                        15,
                        "'initContainers':[" + restartable("s", 150, 5) + "," + c("i", 500, 5) + "],'containers':["
                                + c("a", 100, 10) + "]",
                        ""),
                row(
                        "and not beside those after it",
                        500,
                        15,
                        "'initContainers':[" + c("i", 500, 5) + "," + restartable("s", 150, 5) + "],'containers':["
                                + c("a", 100, 10) + "]",
                        ""),
                row(
                        "the pod's own requests replace the sum for the resources that they name",
                        900,
                        30,
                        "'resources':{'requests':{'cpu':'900m'}},'containers':[" + c("a", 100, 30) + "]",
                        ""),
                row(
                        "overhead comes on top",
                        1050,
                        37,
                        "'overhead':{'cpu':'150m','memory':'7'},'resources':{'requests':{'cpu':'900m'}},'containers':["
                                + c("a", 100, 30) + "]",
                        ""),
                row(
                        "what is still allocated counts until a resize down is through",
                        800,
                        30,
                        "'containers':[" + c("a", 100, 30) + "]",
                        "'containerStatuses':[{'name':'a','allocatedResources':{'cpu':'800m','memory':'20'}}]"),
                row(
                        "what is still in force counts too",
                        700,
                        30,
                        "'containers':[" + c("a", 100, 30) + "]",
                        "'containerStatuses':[{'name':'a','resources':{'requests':{'cpu':'700m'}}}]"),
                row(
                        "a resize up that the node cannot do at all does not count",
                        100,
                        30,
                        "'containers':[" + c("a", 900, 30) + "]",
                        "'conditions':[{'type':'PodResizePending','reason':'Infeasible'}],'containerStatuses':[{'name':'a',"
                            + "'allocatedResources':{'cpu':'100m'},'resources':{'requests':{'cpu':'100m'}}}]"),
                row(
                        "one that only waits does",
                        900,
                        30,
                        "'containers':[" + c("a", 900, 30) + "]",
                        "'conditions':[{'type':'PodResizePending','reason':'Deferred'}],'containerStatuses':[{'name':'a',"
                            + "'allocatedResources':{'cpu':'100m'}}]"),
                row(
                        "the status of an init container that ran counts for nothing",
                        500,
                        10,
                        "'initContainers':[" + c("i", 500, 5) + "],'containers':[" + c("a", 100, 10) + "]",
                        "'initContainerStatuses':[{'name':'i','allocatedResources':{'cpu':'800m'}}]"),
                row(
                        "the pod as a whole is resized like a container",
                        900,
                        30,
                        "'resources':{'requests':{'cpu':'400m'}},'containers':[" + c("a", 100, 30) + "]",
                        "'resources':{'requests':{'cpu':'900m'}},'allocatedResources':{'cpu':'400m'}"),
                row(
                        "and only for the resources that it requests as a whole",
                        400,
                        30,
                        "'resources':{'requests':{'cpu':'400m'}},'containers':[" + c("a", 100, 30) + "]",
                        "'resources':{'requests':{'cpu':'400m','memory':'99'}}"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pods")
    void countsAsKubernetesDoes(String rule, Resources expected, JsonNode pod) {
        assertThat(ContainerRequests.of(pod)).isEqualTo(expected);
    }

    private static Arguments row(String rule, long milliCpu, long bytes, String spec, String status) {
        var json = "{'spec':{" + spec + "},'status':{" + status + "}}";
        return Arguments.of(rule, new Resources(milliCpu, bytes), Samples.json(json.replace('\'', '"')));
    }

    private static String c(String name, int milliCpu, int bytes) {
        return "{'name':'%s','resources':{'requests':{'cpu':'%dm','memory':'%d'}}}".formatted(name, milliCpu, bytes);
    }

    private static String restartable(String name, int milliCpu, int bytes) {
        return "{'restartPolicy':'Always'," + c(name, milliCpu, bytes).substring(1);
    }
}
