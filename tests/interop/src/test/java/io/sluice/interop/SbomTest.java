package io.sluice.interop;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: everything that ships is listed with its version and licence, and each licence is an accepted one. Method: the
 * distribution's SBOM is compared with its jars and with the list in the sources.
 */
class SbomTest {
    private static final Path SLUICE = Path.of("..", "..", "verticles", "launcher", "target", "sluice");
    private static final Path SBOM = SLUICE.resolve("sbom.json");
    private static final Path PAGE = Path.of("..", "..", "THIRD-PARTY.md");
    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| (.+) \\|");

    private static final Set<String> ACCEPTED = Set.of(
            "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "EPL-2.0", "MIT", "MIT-0", "MPL-2.0", "OFL-1.1");

    /**
     * Licences by the text at the URL of their POMs: "The BSD License" of JLine is BSD-4-Clause to the program that
     * makes the SBOM, and "Bouncy Castle Licence" has the text of MIT.
     */
    private static final Map<String, String> BY_URL = Map.of(
            "org.jline:jline-terminal", "BSD-3-Clause",
            "org.bouncycastle:bcpkix-jdk18on", "MIT",
            "org.bouncycastle:bcprov-jdk18on", "MIT",
            "org.bouncycastle:bcutil-jdk18on", "MIT");

    private static final String HEAD = """
        # What of others ships

        The third-party jars of the distribution, with the licences that their POMs name, parents included. A POM that names
        several offers a choice. Quotes hold a name that is no identifier of SPDX.

        A test makes this page from the distribution's `sbom.json` and fails where they differ; to write it anew:
        `mvn verify -pl tests/interop -am -Dtest=SbomTest -Dsurefire.failIfNoSpecifiedTests=false -Dthird-party.write=true`.

        | artifact | version | licence |
        |---|---|---|
        """;

    @BeforeEach
    void needsThePackage() {
        assumeThat(SLUICE).as("the distribution, which mvn package makes").exists();
        assumeThat(Files.exists(SBOM) || !"--offline=true".equals(System.getProperty("maven.options")))
                .as("the SBOM, which Maven makes where it is online")
                .isTrue();
    }

    @Test
    void namesTheJarsThatShipAndNoOthers() throws Exception {
        var named = components().collect(toMap(SbomTest::jarName, SbomTest::sha256));
        // The SBOM is made before the jar.
        var launcher = jarName(sbom().required("metadata").required("component"));
        var shipped = shipped();

        assertThat(shipped.remove(launcher)).isNotNull();
        assertThat(shipped).hasSizeGreaterThan(50);
        assertThat(differences(named, shipped)).isEmpty();
    }

    @Test
    void bearsNoTimeOfItsBuild() throws IOException {
        assertThat(sbom().required("metadata").has("timestamp")).isFalse();
    }

    @Test
    void thePageListsEveryThirdPartyThatShips() throws IOException {
        var page = HEAD
                + thirdParties().entrySet().stream()
                        .map(row -> "| `%s` | %s |\n".formatted(row.getKey(), row.getValue()))
                        .collect(joining());
        if (Boolean.getBoolean("third-party.write")) {
            Files.writeString(PAGE, page);
        }

        assertThat(differences(listed(), thirdParties()))
                .as("%s; its head shows how it is regenerated", PAGE)
                .isEmpty();
        assertThat(PAGE).content().isEqualTo(page);
    }

    @Test
    void everyThirdPartyOffersALicenceThatIsAccepted() throws IOException {
        var refused = components()
                .filter(component -> licences(component).noneMatch(ACCEPTED::contains))
                .map(component -> artifact(component) + ": " + version(component));

        assertThat(refused).isEmpty();
    }

    private static JsonNode sbom() throws IOException {
        return new JsonMapper().readTree(SBOM.toFile());
    }

    private static Stream<JsonNode> components() throws IOException {
        return sbom().required("components").valueStream();
    }

    private static String jarName(JsonNode component) {
        return text(component, "name") + "-" + text(component, "version") + ".jar";
    }

    private static String sha256(JsonNode component) {
        return component
                .required("hashes")
                .valueStream()
                .filter(hash -> text(hash, "alg").equals("SHA-256"))
                .map(hash -> text(hash, "content"))
                .findFirst()
                .orElseThrow();
    }

    /** The jars by their names, with their hashes. */
    private static Map<String, String> shipped() throws IOException, NoSuchAlgorithmException {
        var shipped = new TreeMap<String, String>();
        try (var jars = Files.newDirectoryStream(SLUICE.resolve("libs"))) {
            for (var jar : jars) {
                var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
                shipped.put(jar.getFileName().toString(), HexFormat.of().formatHex(digest));
            }
        }
        return shipped;
    }

    /** The rest of each row, by artifact. */
    private static Map<String, String> thirdParties() throws IOException {
        return components()
                .filter(component -> !text(component, "group").equals("io.sluice"))
                .collect(toMap(SbomTest::artifact, SbomTest::version, (one, _) -> one, TreeMap::new));
    }

    private static Map<String, String> listed() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .map(ROW::matcher)
                .filter(row -> row.matches())
                .collect(toMap(row -> row.group(1), row -> row.group(2)));
    }

    private static List<String> differences(Map<String, String> listed, Map<String, String> shipped) {
        var all = new TreeSet<>(listed.keySet());
        all.addAll(shipped.keySet());
        return all.stream()
                .filter(artifact -> !shipped.getOrDefault(artifact, "").equals(listed.get(artifact)))
                .map(artifact -> "%s: listed %s, ships %s"
                        .formatted(
                                artifact, listed.getOrDefault(artifact, "not"), shipped.getOrDefault(artifact, "not")))
                .toList();
    }

    private static String artifact(JsonNode component) {
        return text(component, "group") + ":" + text(component, "name");
    }

    private static String version(JsonNode component) {
        var licences = licences(component).collect(joining(" or "));
        return text(component, "version") + " | " + (licences.isEmpty() ? "none is named" : licences);
    }

    private static Stream<String> licences(JsonNode component) {
        var byUrl = BY_URL.get(artifact(component));
        return byUrl == null ? component.path("licenses").valueStream().map(SbomTest::licence) : Stream.of(byUrl);
    }

    /** An SPDX identifier, or any other name in quotes. */
    private static String licence(JsonNode choice) {
        var licence = choice.path("license");
        if (licence.has("id")) {
            return text(licence, "id");
        }
        return '"' + (licence.has("name") ? text(licence, "name") : text(choice, "expression")) + '"';
    }

    private static String text(JsonNode node, String key) {
        return node.required(key).textValue();
    }
}
