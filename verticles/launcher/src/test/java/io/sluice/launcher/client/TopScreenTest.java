package io.sluice.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.launcher.client.TopScreen.Key;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;

class TopScreenTest {
    private static final String FLEET = """
        {"at":1700000000000,
         "nodes":[{"name":"node-a","complete":true,"readiness":"READY","underPressure":true,"total":[4000,17179869184],
           "reserved":[3000,4294967296],"held":[0,0],"buffer":[0,0],"migrating":[0,0]},
          {"name":"node-b","complete":false,"readiness":"READY","total":[4000,17179869184],"reserved":[0,0]}],
         "vms":[{"key":"default/small","node":"node-a","driver":"neonvm","size":[1000,1073741824],"goal":null,"max":[4000,4294967296],
           "waiting":"NOTHING","reason":""},
          {"key":"default/large","node":"node-b","driver":"pod","size":[10000,1073741824],"goal":[2000,2147483648],
           "max":[4000,4294967296],"waiting":"DENIED_DOWNSCALE","reason":"too \\u001b[31mred"}],
         "migrations":[{"name":"move","vm":"default/small","phase":"RUNNING","from":"node-a","to":"node-b",
           "sinceMs":1699999990000}]}\
        """;

    private final TopFleet fleet = new TopFleet();
    private final TopScreen screen = new TopScreen(TopView.VMS);

    private void received(String event, String data) throws IOException {
        fleet.received(event, Json.read(data));
    }

    private List<String> lines() {
        return lines(160, 20);
    }

    private List<String> lines(int width, int height) {
        return screen.lines(fleet, width, height).stream()
                .map(AttributedString::toString)
                .map(String::stripTrailing)
                .toList();
    }

    private String selected() {
        return screen.selected().map(row -> screen.view().key(row)).orElse("");
    }

    private void type(String text) {
        text.chars().forEach(character -> screen.typed((char) character));
    }

    @Test
    void showsWhyThereIsNoNews() throws IOException {
        assertThat(lines().getFirst()).isEqualTo("sluice top  no news: no reply yet");
        received("fleet", FLEET);
        assertThat(lines().getFirst())
                .isEqualTo("sluice top  2 nodes, 2 VMs, 0 waiting pods, 1 migration  2023-11-14T22:13:20Z");
        fleet.lost("the stream has ended");
        assertThat(lines())
                .contains("sluice top  no news: the stream has ended")
                .anyMatch(line -> line.contains("small"));
    }

    @Test
    void showsVmsAndWhatKeepsThemFromTheirGoals() throws IOException {
        received("fleet", FLEET);
        assertThat(lines().get(3))
                .startsWith("default/large")
                .containsSubsequence(
                        "node-b", "pod", "10/1Gi", "2/2Gi", "-", "4/4Gi", "denied downscale", "too ?[31mred");
        assertThat(lines().get(4))
                .startsWith("default/small")
                .contains("neonvm    1/1Gi")
                .endsWith("4/4Gi");
    }

    @Test
    void showsNodesAndMigrations() throws IOException {
        received("fleet", FLEET);
        type("1");
        assertThat(lines().subList(3, 5))
                .satisfiesExactly(
                        line -> assertThat(line).containsSubsequence("node-a", "pressed", "75%", "25%", "3/4Gi"),
                        line -> assertThat(line).containsSubsequence("node-b", "incomplete", "0%", "0%", "0/0"));
        type("4");
        assertThat(lines().get(3)).containsSubsequence("move", "default/small", "running", "node-a", "node-b", "10 s");
        assertThat(TopView.MIGRATIONS.explanation(screen.selected().orElseThrow()))
                .isEqualTo("api/why/vm/default/small");
    }

    @Test
    void showsPodsThatWait() throws IOException {
        received("fleet", FLEET);
        fleet.pods(Json.read("""
            {"total":3,"pods":[{"key":"default/pod","vm":"db","createdAt":1699999000000,"charge":[2000,1073741824],
             "now":"0/2 nodes are available"}]}\
            """));
        type("3");
        assertThat(lines().getFirst()).contains("3 waiting pods");
        assertThat(lines().get(3)).containsSubsequence("default/pod", "db", "16 min", "2/1Gi", "0/2 nodes");
    }

    @Test
    void appliesChanges() throws IOException {
        received("fleet", FLEET);
        received("delta", """
            {"at":1700000001000,"vmsGone":["default/large"],"nodesGone":["node-b"],"migrations":[],
             "vms":[{"key":"default/new","node":"node-a","size":[1,1],"waiting":"NOTHING"}]}\
            """);
        received("decisions", "{}");
        assertThat(lines().getFirst()).contains("1 node, 2 VMs", "0 migrations", "22:13:21Z");
        assertThat(lines().subList(3, 6))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("default/new"),
                        line -> assertThat(line).startsWith("default/small"),
                        line -> assertThat(line).isEmpty());
    }

    @Test
    void sortsNumbersAsNumbersAndKeepsTheSelectedRow() throws IOException {
        received("fleet", FLEET);
        lines();
        screen.pressed(Key.DOWN);
        assertThat(selected()).isEqualTo("default/small");
        type("sss");
        assertThat(lines().get(2)).contains("SIZE ^");
        assertThat(lines().get(3)).startsWith("default/small");
        type("r");
        assertThat(lines().get(2)).contains("SIZE v");
        assertThat(lines().get(3)).startsWith("default/large");
        assertThat(selected()).isEqualTo("default/small");
    }

    @Test
    void filtersByNameAndNode() throws IOException {
        received("fleet", FLEET);
        type("/LAq");
        screen.pressed(Key.ERASE);
        assertThat(lines().getLast()).isEqualTo("filter: LA");
        screen.pressed(Key.ENTER);
        assertThat(lines().get(3)).startsWith("default/large");
        assertThat(lines().get(4)).isEmpty();
        screen.pressed(Key.ESCAPE);
        type("/node-a");
        assertThat(lines().get(3)).startsWith("default/small");
        screen.pressed(Key.ESCAPE);
        assertThat(lines().get(4)).startsWith("default/small");
        assertThat(screen.typed('q')).isFalse();
    }

    @Test
    void scrollsToTheSelectedRowWhateverTheSize() throws IOException {
        received(
                "fleet",
                IntStream.range(0, 1_000)
                        .mapToObj("{\"key\":\"default/vm-%03d\"}"::formatted)
                        .collect(Collectors.joining(",", "{\"at\":1,\"vms\":[", "]}")));
        assertThat(lines(80, 24)).hasSize(24).anyMatch(line -> line.startsWith("default/vm-019"));
        screen.pressed(Key.PAGE_DOWN);
        assertThat(lines(80, 24)).anyMatch(line -> line.startsWith("default/vm-020"));
        screen.pressed(Key.END);
        assertThat(lines(80, 24).get(22)).startsWith("default/vm-999");
        assertThat(lines(80, 10)).hasSize(10).anyMatch(line -> line.startsWith("default/vm-999"));
        assertThat(lines(3, 1)).hasSize(1).allMatch(line -> line.length() <= 3);
        screen.pressed(Key.HOME);
        assertThat(lines(80, 24).get(3)).startsWith("default/vm-000");
    }

    @Test
    void showsTheExplanationOfARowUntilEscape() throws IOException {
        assertThat(screen.canExplain()).isFalse();
        received("fleet", FLEET);
        lines();
        assertThat(screen.canExplain()).isTrue();
        screen.explain(
                IntStream.range(0, 100).mapToObj(line -> "reason " + line).toList());
        assertThat(lines().subList(2, 5)).containsExactly("default/large", "reason 0", "reason 1");
        screen.pressed(Key.END);
        assertThat(lines()).contains("reason 99").doesNotContain("reason 0");
        screen.pressed(Key.ESCAPE);
        assertThat(lines().get(3)).startsWith("default/large");
    }
}
