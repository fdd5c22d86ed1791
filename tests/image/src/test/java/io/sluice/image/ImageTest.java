package io.sluice.image;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the image's config is correct, it contains the product and nothing else, and it lists its content. Method: its
 * archive is unpacked, layer by layer, and read.
 */
@OnTheImage
class ImageTest {
    private static final Path REFERENCE = Path.of("..", "..", "config", "reference.md");
    private static final Path THIRD_PARTIES = Path.of("..", "..", "THIRD-PARTY.md");
    private static final Pattern LISTENER = Pattern.compile(
            "\\| `(?:(?:gateway\\.\\w+|workers)\\.port|hazelcast\\.(?:busP|p)ort)` \\|[^|]*\\| `(\\d+)` \\|.*");

    @TempDir
    private static Path folder;

    private static Image image;

    @BeforeAll
    static void unpack() throws IOException {
        image = Image.unpack(folder);
    }

    @Test
    void isRunByANumberedUserThatIsNotRoot() {
        assertThat(image.started("User").textValue()).isEqualTo("65532:65532");
    }

    @Test
    void runsTheConfigOfItsFolderUnlessConfiguredOtherwise() {
        assertThat(Image.texts(image.started("Entrypoint")))
                .startsWith("java", "@/opt/sluice/jvm.options")
                .endsWith("-cp", "/opt/sluice/libs/*", "io.sluice.launcher.Main");
        assertThat(Image.texts(image.started("Cmd"))).containsExactly("run", "--config", "/etc/sluice/sluice.yaml");
        assertThat(image.file("/etc/sluice")).doesNotExist();
    }

    @Test
    void namesThePortOfEveryListener() throws IOException {
        var listeners = Files.readAllLines(REFERENCE).stream()
                .map(LISTENER::matcher)
                .filter(row -> row.matches())
                .map(row -> row.group(1) + "/tcp")
                .toList();

        assertThat(listeners).hasSizeGreaterThan(5);
        assertThat(image.started("ExposedPorts").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrderElementsOf(listeners);
    }

    @Test
    void describesItselfByItsLabels() throws IOException {
        assertThat(image.label("title")).isEqualTo("Sluice");
        assertThat(image.label("licenses")).isEqualTo("Apache-2.0");
        assertThat(image.label("description")).isNotBlank();
        assertThat(image.label("version"))
                .isEqualTo(about().required("component").required("version").textValue());
    }

    @Test
    void namesItsBase() {
        var base = System.getProperty("sluice.image.base", "eclipse-temurin:25-jre-noble");

        assertThat(image.label("base.name")).isEqualTo(System.getProperty("sluice.image.base.name", base));
    }

    @Test
    void listsTheJarsThatItHoldsAndNoOthers() throws Exception {
        var listed = sbom().required("components")
                .valueStream()
                .collect(toMap(ImageTest::jarName, component -> sha256(component)));

        assertThat(held()).hasSizeGreaterThan(50).isEqualTo(listed);
    }

    @Test
    void holdsNoThirdPartyThatThePageDoesNotList() throws IOException {
        var listed = Files.readAllLines(THIRD_PARTIES);

        for (var jar : sbom().required("components")) {
            var row = "| `%s:%s` | %s |".formatted(text(jar, "group"), text(jar, "name"), text(jar, "version"));
            assertThat(row)
                    .matches(
                            own -> own.startsWith("| `io.sluice:")
                                    || listed.stream().anyMatch(line -> line.startsWith(row)),
                            "is of Sluice, or listed");
        }
    }

    @Test
    void holdsNothingOfTheLab() throws Exception {
        assertThat(held().keySet())
                .anyMatch(jar -> jar.startsWith("sluice-launcher-"))
                .noneMatch(jar -> jar.startsWith("sluice-lab-"));
    }

    @Test
    void onlyRootMayChangeTheProduct() throws IOException {
        for (var path : product()) {
            assertThat(Files.getPosixFilePermissions(path))
                    .as(path.toString())
                    .contains(PosixFilePermission.OTHERS_READ)
                    .doesNotContain(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
        }
    }

    @Test
    void bearsNoTimeOfItsBuild() throws IOException {
        assertThat(image.config().required("created").textValue()).isEqualTo(image.label("created"));
        assertThat(about().has("timestamp")).isFalse();
        for (var path : product()) {
            assertThat(Files.getLastModifiedTime(path).toInstant())
                    .as(path.toString())
                    .isEqualTo(Instant.ofEpochSecond(1));
        }
    }

    private static JsonNode sbom() throws IOException {
        return Image.json(image.file("/usr/share/sluice/sbom.json"));
    }

    private static JsonNode about() throws IOException {
        return sbom().required("metadata");
    }

    private static String jarName(JsonNode component) {
        return text(component, "name") + "-" + text(component, "version") + ".jar";
    }

    private static String text(JsonNode component, String key) {
        return component.required(key).textValue();
    }

    private static String sha256(JsonNode component) {
        return component
                .required("hashes")
                .valueStream()
                .filter(hash -> hash.required("alg").textValue().equals("SHA-256"))
                .map(hash -> hash.required("content").textValue())
                .findFirst()
                .orElseThrow();
    }

    /** The jars by their names, with their hashes. */
    private static Map<String, String> held() throws IOException, NoSuchAlgorithmException {
        var held = new TreeMap<String, String>();
        try (var jars = Files.newDirectoryStream(image.file("/opt/sluice/libs"))) {
            for (var jar : jars) {
                held.put(jar.getFileName().toString(), sha256(jar));
            }
        }
        return held;
    }

    private static String sha256(Path file) throws IOException, NoSuchAlgorithmException {
        var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        return HexFormat.of().formatHex(digest);
    }

    private static List<Path> product() throws IOException {
        try (var program = Files.walk(image.file("/opt/sluice"));
                var list = Files.walk(image.file("/usr/share/sluice"))) {
            return Stream.concat(program, list).toList();
        }
    }
}
