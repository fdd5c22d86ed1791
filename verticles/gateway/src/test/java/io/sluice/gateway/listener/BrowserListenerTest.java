package io.sluice.gateway.listener;

import static io.sluice.gateway.listener.OpenListener.PATIENT;
import static io.sluice.gateway.listener.OpenListener.TOKEN;
import static io.sluice.gateway.listener.OpenListener.behind;
import static io.sluice.gateway.listener.OpenListener.requesting;
import static io.sluice.gateway.listener.OpenListener.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class BrowserListenerTest {
    private static final ListenerSpec PAGES = behind().expecting(ListenerSpec.Kind.BROWSERS)
            .exempting(request -> "/".equals(request.path()) || "/login".equals(request.path()))
            .named(List.of("console.example.org"));

    @TempDir
    private Path directory;

    private OpenListener open;

    @BeforeEach
    void open(Vertx vertx) {
        open = new OpenListener(vertx);
    }

    @Test
    void everyAnswerKeepsThePageSafe() throws Exception {
        open.open(guarded(), PAGES, PATIENT);
        for (var path : List.of("", "api/fleet", "..%2f")) {
            var headers = open.get(path).headers();
            assertThat(headers.firstValue("content-security-policy").orElseThrow())
                    .as(path)
                    .contains("default-src 'self'")
                    .contains("frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(headers.firstValue("x-content-type-options")).contains("nosniff");
            assertThat(headers.firstValue("x-frame-options")).contains("DENY");
            assertThat(headers.firstValue("referrer-policy")).contains("no-referrer");
            assertThat(headers.firstValue("cache-control")).contains("no-store");
        }
    }

    @Test
    void aBrowserLogsInOnceAndBearsACookieThatIsNotTheToken() throws Exception {
        open.open(guarded(), PAGES, PATIENT);
        var login = login(TOKEN);
        assertThat(login.statusCode()).isEqualTo(204);
        var cookie = login.headers().firstValue("set-cookie").orElseThrow();
        assertThat(cookie)
                .startsWith("sluice-" + open.listener().port() + "=")
                .containsIgnoringCase("HttpOnly")
                .contains("SameSite=Strict")
                .contains("Path=/")
                .doesNotContain("Secure")
                .doesNotContain(TOKEN);
        assertThat(open.get("api/fleet", "Cookie", pass(cookie)).body()).isEqualTo("inside");
        assertThat(open.get("api/fleet", "Cookie", "other=1; " + pass(cookie)).body())
                .isEqualTo("inside");
        assertThat(open.get("api/fleet", "Cookie", pass(cookie) + "x").statusCode())
                .isEqualTo(401);
        assertThat(open.get("api/fleet", "Cookie", pass(cookie).replace("sluice-", "sluice-1"))
                        .statusCode())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                "=",
                "sluice-",
                ";;=\"",
                "sluice-{}",
                "sluice-{}=",
                "sluice-{}=\"",
                "sluice-{}=\u0000\u00ff",
                "a=b; sluice-{}=1.x, y"
            })
    void aCookieThatIsNoneDoesNotLetIn(String cookie) throws Exception {
        open.open(guarded(), PAGES, PATIENT);
        var sent = cookie.replace("{}", Integer.toString(open.listener().port()));
        assertThat(open.raw(
                        "GET /api HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\nCookie: " + sent + "\r\n\r\n"))
                .startsWith("HTTP/1.1 40")
                .doesNotContain("inside");
    }

    @Test
    void aBrowserLogsOut() throws Exception {
        open.open(guarded(), PAGES, PATIENT);
        var cookie = login(TOKEN).headers().firstValue("set-cookie").orElseThrow();
        var request = requesting(open.listener(), "logout").POST(HttpRequest.BodyPublishers.noBody());
        assertThat(send(request, null).statusCode()).isEqualTo(401);
        var logout = send(request.header("Cookie", pass(cookie)), null);
        assertThat(logout.statusCode()).isEqualTo(204);
        assertThat(logout.headers().firstValue("set-cookie").orElseThrow()).contains("Max-Age=0");
    }

    @Test
    void aNewTokenFileEndsTheCookiesOfTokensThatAreGone() throws Exception {
        var config = guarded();
        open.open(config, PAGES, PATIENT);
        var cookie = login(TOKEN).headers().firstValue("set-cookie").orElseThrow();
        TestCertificate.replace(Path.of(config.tokenFile()), "another-token-altogether");
        open.listener().reload(config).await();
        assertThat(open.get("api/fleet", "Cookie", pass(cookie)).statusCode()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"token\":\"not the token at all\"}|401",
                "{\"token\":\"\"}|401",
                "{\"token\":1}|400",
                "{}|400",
                "[]|400",
                "nonsense|400",
                "''|400"
            })
    void nothingElseLogsIn(String body, int status) throws Exception {
        open.open(guarded(), PAGES, PATIENT);
        var answer = posted(body);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("set-cookie")).isEmpty();
        assertThat(answer.body()).startsWith("{\"error\":");
    }

    @Test
    void aLongBodyDoesNotLogIn() throws Exception {
        open.open(guarded(), PAGES, PATIENT);
        assertThat(posted("{\"x\":\"" + "x".repeat(10_000) + "\",\"token\":\"" + TOKEN + "\"}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void whereThereIsNoTokenThereIsNothingToLogInTo() throws Exception {
        open.open(ListenerConfig.loopback(0), PAGES, PATIENT);
        assertThat(login(TOKEN).statusCode()).isEqualTo(404);
        assertThat(open.get("api/fleet").body()).isEqualTo("inside");
    }

    @Test
    void theCookieOfAListenerWithTlsTravelsOverTlsAlone() throws Exception {
        var certificate = TestCertificate.of("EC", directory);
        var plain = guarded();
        open.open(
                new ListenerConfig("127.0.0.1", 0, false, certificate.writeTo(directory), plain.tokenFile()),
                PAGES,
                PATIENT);
        var login = send(
                requesting(open.listener(), "login")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"token\":\"" + TOKEN + "\"}")),
                certificate.trusting());
        assertThat(login.headers().firstValue("set-cookie").orElseThrow()).contains("Secure");
    }

    @Test
    void theBearerTokenStillLetsProgramsIn() throws Exception {
        open.open(guarded(), PAGES, PATIENT);
        assertThat(open.get("api/fleet", "Authorization", "Bearer " + TOKEN).body())
                .isEqualTo("inside");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost,200",
        "127.0.0.1:1,200",
        "console.example.org,200",
        "attacker.example,403",
        "localhost.attacker.example,403"
    })
    void repliesOnLoopbackToKnownNames(String host, int status) throws Exception {
        open.open(ListenerConfig.loopback(0), PAGES, PATIENT);
        assertThat(open.raw("GET / HTTP/1.1\r\nConnection: close\r\nHost: " + host + "\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "DELETE"})
    void foreignPagesMayRequestNothing(String method) throws Exception {
        open.open(ListenerConfig.loopback(0), PAGES, PATIENT);
        String start = method + " /api/profile HTTP/1.1\r\nConnection: close\r\nHost: localhost:1\r\n";
        assertThat(open.raw(start + "Origin: http://localhost:1\r\n\r\n")).contains("inside");
        assertThat(open.raw(start + "Origin: http://attacker.example\r\n\r\n"))
                .startsWith("HTTP/1.1 403")
                .doesNotContain("inside");
        assertThat(open.raw(start + "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
        assertThat(open.count("sluice.gateway.refused", "listener", "test", "reason", "origin"))
                .isEqualTo(1);
    }

    @Test
    void listenersForProgramsReplyToAnyNameAndToNoForeignPage() throws Exception {
        open.open(ListenerConfig.loopback(0), behind(), PATIENT);
        String start = "POST / HTTP/1.1\r\nConnection: close\r\nHost: prometheus.example:9100\r\n";
        assertThat(open.raw(start + "\r\n")).contains("inside");
        assertThat(open.raw(start + "Origin: http://attacker.example\r\n\r\n")).startsWith("HTTP/1.1 403");
    }

    private HttpResponse<String> login(String token) throws Exception {
        return posted("{\"token\":\"" + token + "\"}");
    }

    private HttpResponse<String> posted(String body) throws Exception {
        return send(requesting(open.listener(), "login").POST(HttpRequest.BodyPublishers.ofString(body)), null);
    }

    private static String pass(String cookie) {
        return cookie.substring(0, cookie.indexOf(';'));
    }

    private ListenerConfig guarded() throws Exception {
        var file = directory.resolve("tokens");
        TestCertificate.replace(file, TOKEN);
        return new ListenerConfig("127.0.0.1", 0, false, TlsFiles.NONE, file.toString());
    }
}
