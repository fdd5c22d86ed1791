package io.sluice.billing.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NetworkFaultsTest {
    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new HttpConnectTimeoutException("HTTP connect timed out"), "connect timed out"),
                Arguments.of(new HttpTimeoutException("request timed out"), "request timed out"),
                Arguments.of(caused(new ConnectException(), new UnresolvedAddressException()), "unknown host"),
                Arguments.of(new UnknownHostException("receiver.example"), "unknown host"),
                Arguments.of(new ConnectException("Connection refused"), "Connection refused"),
                Arguments.of(new NoRouteToHostException("No route to host"), "No route to host"),
                Arguments.of(new IOException("wrapped", new SocketException("Connection reset")), "Connection reset"),
                Arguments.of(new SSLHandshakeException("no cipher suites in common"), "no cipher suites in common"),
                Arguments.of(new IOException((String) null), "IOException"),
                Arguments.of(new IOException("to /10.1.2.3:8443 failed"), "to * failed"),
                Arguments.of(new IOException("to billing.example:443 failed"), "to * failed"),
                Arguments.of(new IOException("to [fe80::1:2%eth0]:443 failed"), "to * failed"),
                Arguments.of(new IOException("to 2001:db8:0:1::2 failed"), "to * failed"),
                Arguments.of(new IOException("after 317 of 4096 bytes"), "after N of N bytes"),
                Arguments.of(new IOException("two\r\n\tlines\u0007"), "two lines"),
                Arguments.of(new IOException("x".repeat(100_000)), "x".repeat(80)));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void reportsInFewWordsWhatWentWrong(IOException failure, String words) {
        assertThat(NetworkFaults.text(failure)).isEqualTo(words);
    }

    @Test
    void isNotCaughtByAChainOfCausesWithoutEnd() {
        var one = new IOException("one");
        var other = new IOException("other", one);
        one.initCause(other);

        assertThat(NetworkFaults.text(one)).isIn("one", "other");
    }

    private static IOException caused(IOException failure, Throwable cause) {
        failure.initCause(cause);
        return failure;
    }
}
