package io.sluice.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.shell.EndlessServer;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A console whose response does not end: the command reports that, and ends. */
class EndlessConsoleTest {
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

    static Stream<EndlessServer.Answer> answers() {
        return Stream.of(
                        EndlessServer.answers(200),
                        EndlessServer.answers(500),
                        Stream.of(
                                new EndlessServer.Answer("blanks", CHUNKED, "2000\r\n" + " ".repeat(0x2000) + "\r\n"),
                                new EndlessServer.Answer(
                                        "a list", CHUNKED + "1\r\n[\r\n", "2000\r\n" + "1,".repeat(0x1000) + "\r\n")))
                .flatMap(answers -> answers);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void isCutOff(EndlessServer.Answer answer) throws Exception {
        try (var server = new EndlessServer(answer)) {
            var url = "http://127.0.0.1:" + server.port();
            var client = ConsoleClient.of(url, Optional.empty(), Optional.empty(), Duration.ofSeconds(20));
            if (!answer.name().equals("trailers")) {
                assertThatThrownBy(() -> client.json("api/fleet"))
                        .isInstanceOf(ConsoleException.class)
                        .message()
                        .isNotBlank()
                        .hasSizeLessThan(5000);
            }
            assertThat(server.mostSent()).isLessThan(EndlessServer.ENDLESS);
        }
    }

    static Stream<String> unfinished() {
        return Stream.of("", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{");
    }

    @ParameterizedTest
    @MethodSource("unfinished")
    void isNotAwaitedForLongerThanTheBound(String begun) throws Exception {
        try (var server = new EndlessServer(new EndlessServer.Answer("nothing", begun, ""))) {
            var url = "http://127.0.0.1:" + server.port();
            var client = ConsoleClient.of(url, Optional.empty(), Optional.empty(), Duration.ofMillis(50));

            assertThatThrownBy(() -> client.json("api/fleet"))
                    .isInstanceOf(ConsoleException.class)
                    .hasMessageContaining("request timed out");
        }
    }
}
