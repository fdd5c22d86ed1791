package io.sluice.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.launcher.CapturedOutput;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Each command against an HTTP server with a configured reply. */
class CommandsTest {
    private static final int NO_REPLY = 0;
    private static final int MOVED = 302;

    private final List<URI> requested = new ArrayList<>();
    private final List<String> credentials = new ArrayList<>();
    private HttpServer server;
    private int status = 200;
    private int missing = 0;
    private String answer = "{}";

    @RegisterExtension
    final CapturedOutput output = new CapturedOutput();

    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            requested.add(exchange.getRequestURI());
            credentials.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            if (status == NO_REPLY) {
                return;
            }
            if (status == MOVED) {
                exchange.getResponseHeaders().add("Location", "/elsewhere");
            }
            var body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length + missing);
            exchange.getResponseBody().write(body);
            exchange.getResponseBody().flush();
        }
    }

    @Test
    void whyPrintsTheSentenceAndThenTheReasons() {
        answer = """
            {"subject":{"vm":"default/db"},"now":"wants 2, has 1: short by 1 on node-c","since":1,
             "reasons":[{"at":1700000000000,"kind":"DENIED","node":"node-c","vm":"default/db",
             "from":[1000,1073741824],"to":[2000,2147483648],"reason":"no room"}]}\
            """;

        assertThat(run(new WhyCommand(), "VM", "default/db", "--at", "2026-11-21T03:00:00Z"))
                .isZero();
        assertThat(output.printed())
                .startsWith("wants 2, has 1: short by 1 on node-c\n")
                .contains("  2023-11-14T22:13:20Z  denied          1/1Gi -> 2/2Gi  no room");
        assertThat(requested).containsExactly(URI.create("/api/why/vm/default/db?at=2026-11-21T03%3A00%3A00Z"));
    }

    @ParameterizedTest
    @CsvSource({"json, '{~  \"now\" : \"calm: 1\",~  \"at\" : 3~}~'", "yaml, 'now: \"calm: 1\"~at: 3~'"})
    void repliesArePrintedForOtherProgramsToo(String format, String expected) {
        answer = "{\"now\":\"calm: 1\",\"at\":3}";

        run(new WhyCommand(), "vm", "db", "-o", format);
        run(new StatusCommand(), "--output", format);
        run(new TopCommand(), "-o", format);
        assertThat(output.printed()).isEqualTo(expected.replace('~', '\n').repeat(3));
    }

    @Test
    void topPrintsATableOnceWhereItHasNoTerminal() {
        answer = """
            {"at":1700000000000,"nodes":[{"name":"node-a","complete":true,"readiness":"READY","total":[1000,1024]}]}\
            """;

        assertThat(run(new TopCommand(), "--view", "nodes")).isZero();
        assertThat(output.printed().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("NODE ^"),
                        line -> assertThat(line).startsWith("node-a").contains("ready", "0%", "1/1Ki"));
    }

    @Test
    void whyNamesWhatWouldHaveHelpedBelowTheCause() {
        answer = """
            {"subject":{"vm":"default/db","driver":"pod"},"now":"short by 1 on node-c","since":1,"reasons":[],
             "helps":{"sufficiency":"ANY","text":"it would be granted with 1 CPU more on node-c","changes":[]},
             "target":{"sufficiency":"NONE","text":"","changes":[]},"stays":"it stays: node-c is below"}\
            """;

        assertThat(run(new WhyCommand(), "vm", "default/db")).isZero();
        assertThat(output.printed().lines())
                .containsExactly(
                        "short by 1 on node-c",
                        "its driver is pod",
                        "it would be granted with 1 CPU more on node-c",
                        "it stays: node-c is below");
    }

    @Test
    void whyOfANodeNamesTheVmOfEachReason() {
        answer = """
            {"subject":{"node":"node-c"},"now":"calm","since":1,"reasons":[
             {"at":1700000000000,"kind":"DENIED","node":"node-c","vm":"default/db",
              "from":[1000,1073741824],"to":[2000,2147483648],"reason":"no room"},
             {"at":1700000000000,"kind":"MOVING","node":"node-c","toNode":"node-b","vm":"default/db",
              "from":null,"to":null,"reason":"load 1.63"},
             {"at":1700000000000,"kind":"CALM","node":"node-c","vm":"","reason":"below"}]}\
            """;

        assertThat(run(new WhyCommand(), "node", "node-c")).isZero();
        assertThat(output.printed())
                .contains("denied          default/db  1/1Gi -> 2/2Gi  no room")
                .contains("moving          default/db  node-c -> node-b  load 1.63")
                .contains("calm            below");
    }

    @ParameterizedTest
    @CsvSource({
        "--at, yesterday, is no time such as 2026-11-21T03:00:00Z",
        "--limit, -3, is no whole number of at least 0"
    })
    void refusesAnOptionThatIsWrongInWordsOfItsOwn(String option, String value, String sentence) {
        var reported = new StringWriter();

        assertThat(line(new WhyCommand()).setErr(new PrintWriter(reported)).execute("vm", "db", option + "=" + value))
                .isEqualTo(2);
        assertThat(reported.toString())
                .startsWith("Invalid value for option '" + option + "'")
                .contains(sentence)
                .doesNotContain("java.");
        assertThat(requested).isEmpty();
    }

    @Test
    void leadsFromANameAloneToTheCommand() {
        var reported = new StringWriter();

        assertThat(line(new WhyCommand()).setErr(new PrintWriter(reported)).execute("default/db"))
                .isEqualTo(2);
        assertThat(reported.toString()).contains("for a VM of that name: sluice why vm default/db");
    }

    @Test
    void nothingIsRecordedThatCouldBeKeptNowhere() {
        assertThat(failure(
                        new ProfileCommand(),
                        "--out",
                        folder.resolve("none/a.jfr").toString()))
                .contains("none/a.jfr must be a file in a folder that exists");
        assertThat(requested).isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsCalledSo() {
        var none = folder.resolve("none").toString();

        assertThat(failure(new DumpCommand(), "--token-file", none)).endsWith("there is no such file or folder");
        assertThat(failure(new DumpCommand(), "--ca", none)).endsWith("there is no such file or folder");
    }

    @Test
    void aRefusalIsOneSentenceWithTheCandidates() {
        status = 409;
        answer = "{\"error\":\"db is the name of two VMs\",\"candidates\":[\"a/db\",\"b/db\"]}";

        assertThat(failure(new WhyCommand(), "vm", "db"))
                .contains("replied with status 409: db is the name of two VMs: [\"a/db\",\"b/db\"]");
    }

    @Test
    void aListenerThatIsNotThereIsOneSentenceWithAHint() {
        server.stop(0);

        assertThat(failure(new DumpCommand()))
                .contains("cannot be reached: no connection")
                .contains("--url");
    }

    @Test
    void aReplyThatBreaksOffIsNoReply() {
        missing = 10;

        assertThat(failure(new DumpCommand())).startsWith("the dump broke off");
        assertThat(failure(new WhyCommand(), "vm", "db")).contains("/api/why/vm/db broke off");
    }

    @Test
    void aReplyThatPointsElsewhereIsNotFollowed() {
        status = MOVED;

        assertThat(failure(new DumpCommand())).contains("replied with status 302");
        assertThat(requested).hasSize(1);
    }

    @Test
    void aRecordingIsRequestedOnceThoughTheConnectionBreaks() {
        status = NO_REPLY;

        assertThat(failure(
                        new ProfileCommand(), "--out", folder.resolve("a.jfr").toString()))
                .contains("cannot be reached");
        assertThat(requested).containsExactly(URI.create("/api/profile?seconds=30"));
    }

    @Test
    void aRequestThatNeedsATokenIsOneSentence() {
        status = 401;

        assertThat(failure(new DumpCommand())).contains("requires a token: give --token-file");
        assertThat(failure(
                        new ProfileCommand(), "--out", folder.resolve("a.jfr").toString()))
                .contains("requires a token: give --token-file");
    }

    @Test
    void tapPrintsALineForEachMessageAndEndsAfterAsMany() {
        answer = """
            event: message
            data: {"at":1700000000000,"address":"ledger.permit","kind":"request","direction":"out","bytes":90,"body":{"seq":3}}

            event: message
            data: {"at":1700000000001,"address":"ledger.permit","kind":"reply","direction":"in","bytes":80,"latencyMicros":41,"body":{}}

            """;

        assertThat(run(new TapCommand(), "--count", "2", "--address", "ledger.*"))
                .isZero();
        assertThat(output.printed().lines())
                .hasSize(2)
                .first()
                .asString()
                .contains("request out ledger.permit")
                .contains("{\"seq\":3}");
        assertThat(requested.getFirst()).hasToString("/api/tap?address=ledger.*");
    }

    @Test
    void tapShowsWhereAMessagePassedAndWhichProcessIsNotReached() {
        answer = """
            event: members
            data: {"members":[{"id":"2b4c","gaps":0,"reason":""},{"id":"3c5d","gaps":0,"reason":"no process serves that address"}]}

            event: message
            data: {"process":"2b4c","at":1700000000000,"address":"ledger.permit","kind":"request","direction":"out","bytes":9}

            event: members
            data: {"members":[{"id":"2b4c","gaps":1,"reason":""},{"id":"3c5d","gaps":0,"reason":""}]}

            event: dropped
            data: {"dropped":7,"members":{"1f3a":0,"2b4c":7}}

            """;
        assertThat(run(new TapCommand())).isZero();

        assertThat(output.printed()).startsWith("2b4c     22:13:20.000Z request out");
        assertThat(output.reported())
                .isEqualToIgnoringNewLines("sluice: 3c5d does not send its messages: no process serves that address"
                        + "sluice: some messages in 2b4c were missed"
                        + "sluice: 3c5d sends its messages again"
                        + "sluice: 7 messages were dropped so far: 7 in 2b4c");
    }

    @Test
    void statusNamesEachProcessAndWhatItWaitsForAndEndsWithOneUntilAllAreReady() {
        answer = """
            {"clustered":true,"self":"1f3a","ready":false,"members":[
             {"id":"1f3a","name":"1f3a","self":true,"roles":["gateway","ledger"],"endpoint":"10.0.0.1:5701","ledger":true,
              "state":"READY","version":"1.2","uptimeMs":3725000,"waits":[],"counts":[],"roundTripMicros":null,
              "silentMs":null,"reason":""},
             {"id":"2b4c","name":"2b4c","self":false,"roles":["agent"],"endpoint":"10.0.0.2:5701","ledger":false,
              "state":"WAITING","version":"1.2","uptimeMs":65000,"waits":[{"part":"peers","sentence":"no \\u001b[31mledger"}],
              "counts":[],"roundTripMicros":900,"silentMs":null,"reason":""},
             {"id":"3c5d","name":"3c5d","self":false,"roles":[],"endpoint":"","ledger":false,"state":"SILENT","version":"",
              "uptimeMs":null,"waits":[],"counts":[],"silentMs":4200,"reason":"no process serves that address"}],
             "ledgers":{"configured":3,"present":1},"grants":{"allowed":false,"sentence":"1 of 3 is there"},
             "partitionsSafe":false,"shares":{"agent":[{"id":"2b4c","vms":12},{"id":"3c5d","vms":null}],"pressure":""},
             "notes":[{"at":1700000000000,"sentence":"4d6e left"}]}\
            """;

        assertThat(run(new StatusCommand())).isEqualTo(1);
        assertThat(requested).containsExactly(URI.create("/api/cluster"));
        assertThat(output.printed().lines())
                .containsExactly(
                        "1f3a      ready    gateway ledger, 10.0.0.1:5701, 1.2, up for 1 h 2 min, has ledger state,"
                                + " this process",
                        "2b4c      waiting  agent, 10.0.0.2:5701, 1.2, up for 1 min 5 s, 12 VMs",
                        "    peers: no ?[31mledger",
                        "3c5d      silent   no roles",
                        "    does not reply for 4 s: no process serves that address",
                        "grants: stopped, 1 of 3 is there",
                        "partitions: not safe",
                        "ledgers: 1 of 3",
                        "2023-11-14T22:13:20Z  4d6e left");
    }

    @Test
    void statusOfAProcessThatIsAloneShowsIt() {
        answer = """
            {"clustered":false,"self":"","ready":true,"members":[{"id":"","name":"","self":true,"roles":["all"],
             "endpoint":"","ledger":false,"state":"READY","version":"","uptimeMs":1000,"waits":[]}]}\
            """;

        assertThat(run(new StatusCommand())).isZero();
        assertThat(output.printed().lines())
                .containsExactly(
                        "This process is alone: it is in no Hazelcast cluster.",
                        "-         ready    all, up for 1 s, this process");
    }

    @Test
    void dumpOfOneProcessRequestsIt() {
        assertThat(run(new DumpCommand(), "--member", "1f/3a")).isZero();
        assertThat(requested).containsExactly(URI.create("/dump?member=1f%2F3a"));
    }

    @Test
    void profileKeepsTheRecording() throws IOException {
        answer = "FLR";
        var file = folder.resolve("a.jfr");

        assertThat(run(new ProfileCommand(), "--seconds", "2", "--out", file.toString()))
                .isZero();
        assertThat(file).hasContent("FLR");
        assertThat(requested).containsExactly(URI.create("/api/profile?seconds=2"));
    }

    @Test
    void aTokenIsReadFromItsFileAndSent() throws IOException {
        var file = Files.writeString(folder.resolve("token"), "secret\n");

        assertThat(run(new DumpCommand(), "--token-file", file.toString())).isZero();
        assertThat(credentials).containsExactly("Bearer secret");
    }

    @Test
    void aTokenIsNotSentOverPlainHttpToAnotherMachine() throws IOException {
        var file = Files.writeString(folder.resolve("token"), "secret\n");

        assertThat(failureAt("http://192.0.2.1:8080", new DumpCommand(), "--token-file", file.toString()))
                .contains("a token is not sent to http://192.0.2.1:8080");
    }

    private int run(Object command, String... arguments) {
        return line(command)
                .execute(at("http://127.0.0.1:" + server.getAddress().getPort(), arguments));
    }

    private String failure(Object command, String... arguments) {
        return failureAt("http://127.0.0.1:" + server.getAddress().getPort(), command, arguments);
    }

    private static String failureAt(String url, Object command, String... arguments) {
        var message = new ArrayList<String>();
        line(command)
                .setExecutionExceptionHandler((thrown, line, parsed) -> {
                    message.add(thrown.getMessage());
                    return 1;
                })
                .execute(at(url, arguments));
        return message.getFirst();
    }

    private static CommandLine line(Object command) {
        return new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
    }

    private static String[] at(String url, String... arguments) {
        var all = new ArrayList<>(Arrays.asList(arguments));
        all.add("--url");
        all.add(url);
        return all.toArray(String[]::new);
    }
}
