package io.sluice.workers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodObjectTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {                                                             | form of a pod
        {"kind": "Process"}                                           | kind of a definition is Pod
        {"kind": "Pod"}                                               | form of a pod
        {"kind": "Pod", "spec": {"containers": []}}                   | exactly one container
        {"kind": "Pod", "spec": {"containers": [{}, {}]}}             | exactly one container
        {"kind": "Pod", "spec": {"containers": [{"rootfs": "/r"}]}}   | has an image
        {"kind": "Pod", "spec": {"containers": [{"image": "i", "env": {"A": 1}}]}}   | form of a pod
        {"kind": "Pod", "spec": {"containers": [{"image": "i", "command": [1]}]}}    | form of a pod
        """)
    void namesWhatADefinitionLacks(String definition, String reason) {
        assertThat(PodObject.unfit(definition)).get().asString().contains(reason);
    }

    @Test
    void isBoundToItsNodeAndHasTheSizeThatIsHeld() {
        var definition = """
            {"kind": "Pod", "spec": {"containers": [{"image": "web:1", "command": ["/bin/web"], "env": {"A": "b"}}]}}\
            """;
        assertThat(PodObject.unfit(definition)).isEmpty();
        var pod = PodObject.of(definition, "a", 3, "node-a", new Resources(1_500, 1L << 30), 10);
        assertThat(pod.getJsonObject("metadata").getString("name")).isEqualTo("a-3");
        var spec = pod.getJsonObject("spec");
        assertThat(spec.getString("nodeName")).isEqualTo("node-a");
        var container = spec.getJsonArray("containers").getJsonObject(0);
        assertThat(container.getString("image")).isEqualTo("web:1");
        assertThat(container.getJsonArray("env").getJsonObject(0).getString("value"))
                .isEqualTo("b");
        var requests = container.getJsonObject("resources").getJsonObject("requests");
        assertThat(requests.getString("cpu")).isEqualTo("1500m");
        assertThat(requests.getString("memory")).isEqualTo("1073741824");
    }
}
