import type { Lexicon } from './concepts.ts'

export const spanish: Lexicon = {
  greeting: `hola, buenos días, buenas tardes, buenas noches, buenas, gracias, muchas gracias, adiós, hasta luego, hasta mañana, qué tal, cómo
    estás, sí, no, vale, perfecto, genial, estás ahí, encantado, ok, de nada`,
  fact: `cuál es la capital, capital de, quién fue, quién es, quién escribió, quién pintó, cuándo fue, cuándo, dónde está, dónde queda,
    cuántos, cuántas, cuánto es, cuánto mide, cuántos años, qué significa, significado, definición, define, sinónimo*, antónimo*, contrario,
    plural, traduce, traducir, traducción, en inglés, en francés, en alemán, en español, una palabra, en una palabra, sí o no, cómo se dice,
    cómo se escribe, de qué color, qué color, qué planeta, en qué año, qué año, más grande*, más largo, más alta, más pequeño, abreviatura, qué
    es, nombra, moneda, convierte, por ciento de, multiplicado, dividido, verdadero o falso, idioma`,
  explain: `explica*, explícame, explicar, diferencia*, resume*, resumir, resumen, parafrasea, reformula*, reescribe*, corrige*, consejos,
    consejo, sugiere*, sugerencia*, recomienda*, recomiéndame, ideas, cómo puedo, cómo se hace, cómo funciona*, cómo, por qué, ventajas,
    desventajas, receta*, cocinar*, dame, ayúdame, párrafo, términos sencillos, palabras sencillas, sencill*, principiante*, visión general,
    mejora*, mejorar, cuento, poema, carta de presentación, descripción de producto, guía, rutina*, lista de, aprender, pasos, ejemplos, qué
    debo, introducción, itinerario, más formal, más corto, discurso, hábitos, preparar, trucos`,
  compose: `escribe*, escríbeme, escribir, redacta*, redactar, compón, propón`,
  depth: `exhaustiv*, completo, completa, en profundidad, a fondo, detallad*, estrategi*, arquitectura*, compensaciones, hoja de ruta, marco*,
    implicacion*, consecuencia*, evalúa*, evaluar, evaluación*, crítica*, críticamente, migración*, partes interesadas, política*, informe*,
    libro blanco, tesis, ensayo*, disertación, revisión bibliográfica, revisión de la literatura, plan de negocio*, plurianual*, riesgo*,
    medidas, gobernanza, regula*, normativ*, cumplimiento, jurídic*, legal*, rgpd, contrato*, cláusula*, analiza*, analizar, análisis,
    compara*, comparar, comparación, escenario*, económic*, economía, geopolític*, distribuid*, infraestructura*, plan de estudios, propuesta*,
    presupuesto*, cronograma*, indicadores, reestructura*, adquisición*, fusión*, cadena de suministro, sostenib*, étic*, filosóf*,
    perspectiva*, teniendo en cuenta, considerando, incluyendo, incluye, largo plazo, viabilidad, metodolog*, transición*, transformación*,
    sociedad*, secciones, quinquenal*, argumento*, impacto*`,
  proof: `demuestra*, demostrar, demostración, prueba que, teorema*, lema, deriva, deduce*, deducir, deducción, acertijo*, adivinanza*, lógic*,
    paradoja*, paso a paso, integral*, derivada*, ecuación*, ecuaciones, resuelve*, resolver, probabilidad*, valor esperado, esperanza,
    entero*, número primo, números primos, primos, divisible*, inducción, contradicción, irracional*, converge*, límite, sucesión, serie,
    matriz, matrices, autovalores, valores propios, determinante, polinomio*, combinatoria, mentiroso*, caballero*, pesada*, pesadas, balanza,
    moneda falsa, monedas, dado, dados, urna, bolas, canicas, estrategia óptima, número mínimo, de cuántas formas, cuántas maneras, teoría de
    juegos, bayes*, si y solo si, válido*, premisa*, silogismo*, falacia, contraejemplo, triángulo*, círculo*, ángulo*, velocidad*,
    aceleración, tren sale, trenes, mayor que, edad de, edades, doble de, río, prisionero*, sombreros, muestra que, justifica*, razona*,
    razonamiento, resto de, factorial, grifo*, halla, encuentra todos`,
  code: `código*, función, funciones, python, javascript, typescript, java, rust, golang, c++, script*, regex, expresión regular, bug*, depura*,
    error*, compila*, compilador, excepción*, traza, refactoriza*, prueba unitaria, pruebas unitarias, tests unitarios, api, endpoint, react,
    vue, django, flask, laravel, php, docker*, kubernetes, git, commit*, clase*, método*, async, hilo*, fuga de memoria, algoritmo*, lista
    enlazada, diccionario, arreglo, array*, bucle*, recursi*, variable*, css, html, componente*, middleware, programa*, programación,
    implementa*, biblioteca*, librería*, módulo*, paquete*, puntero*, interfaz, ordena*, búsqueda binaria, parser, json, yaml, websocket*, bash,
    línea de comandos, conflicto de fusión, dependencia*, árbol binario, consulta http`,
  picture: `imagen*, imágenes, foto*, fotografía*, ilustración*, ilustraciones, dibujo*, pintura*, cuadro, logo*, logotipo*, icono*, ícono*,
    cartel*, póster*, fondo de pantalla, retrato*, pegatina*, banner*, portada*, avatar*, mascota*, infografía, postal, mural*, emblema,
    cómic*, viñeta, paisaje*, acuarela*, gráfico`,
  draw: `dibuja*, dibújame, pinta, píntame, boceto*, ilustra, acuarela*, óleo, fotorrealista*, pixel art, pixelart, al estilo, estilo*, dibujos
    animados, anime, cyberpunk, ciberpunk, minimalista*, vectorial*, alta resolución, isométric*, pastel*, surrealista*, neón*, fondo, fondo
    transparente, arte digital, impresionista*, imagen de un, imagen de una, imagen de, foto de un, logo para, atardecer, niebla, luz, blanco y
    negro`,
  look: `adjunt*, adjunta, esta imagen, esta foto, este dibujo, este gráfico, este diagrama, este esquema, esta captura, captura*, captura de
    pantalla, en la imagen, en la foto, en esta, la imagen, la foto, subí, he subido, subida, qué ves, ves, se ve, aparece*, visible*, lee el
    texto, lee, transcribe*, manuscrit*, escrito a mano, texto alternativo, identifica*, qué raza, qué planta, qué seta, esta planta, este
    recibo, este ticket, radiografía, este cuadro, este plano, escanead*, cuenta los, cuenta cuántas, cuántas personas, aquí tienes una foto,
    pizarra, este meme, letrero, etiqueta, objetos`,
  video: `vídeo*, video*, clip*, animación*, anima, animar, tráiler*, trailer*, cámara*, dron*, cámara lenta, cámara rápida, time-lapse,
    timelapse, guion gráfico, storyboard*, segundos, subtítulo*, película*, escena*, guion de vídeo, guion*, toma, toma aérea, vista aérea,
    travelling, stop motion, gif, grabación, montaje, edición, intro, anuncio*, spot, cortometraje*, youtube, plano secuencia, bucle, zoom, voz
    en off, secuencia*`,
  data: `csv, tabla*, columna*, fila*, conjunto de datos, datos, excel, hoja de cálculo, tabla dinámica, buscarv, promedio*, mediana*,
    desviación estándar, desviación típica, correlación*, regresión*, estadístic*, agrega, agrupa*, agrupad*, suma*, total*, histograma*, gráfico
    de barras, gráfico de, valores atípicos, atípicos, valores faltantes, duplicad*, limpia*, limpiar, normaliza*, extrae*, extraer, en json,
    json, sql, consulta*, base de datos, registros, campos, porcentaje*, tendencia*, pronóstico*, previsión, ventas, ingresos, por región, por
    mes, trimestre*, encuesta*, muestra, intervalo de confianza, varianza, número de, fórmula*, clasifica*, categoriza*, categoría*, mensual*,
    pandas, dataframe, tasa*`,
  web: `busca*, buscar, búscame, búsqueda, en internet, en la web, google, encuentra*, encontrar, averigua, fuentes, con fuentes, enlaces, en línea,
    online, sitio*, página web, wikipedia, consulta, verifica, cerca de mí, cerca, dónde comprar, dónde puedo, más barat*, horario*, abiert*,
    compara precios, artículo*, publicad*, quién ganó, ganó, fecha de estreno, fecha de lanzamiento, reseñas, opiniones, disponible*`,
  recent: `último*, última*, últimas, últimos, reciente*, actual*, actualmente, hoy, esta noche, ahora mismo, en este momento, esta semana, este mes,
    este año, ayer, anoche, semana pasada, noticia*, novedades, actualizad*, en vivo, en directo, tiempo hará, clima, 2025, 2026, 2027, todavía,
    ahora, anunciad*, próxim*, fin de semana, marcador, elecciones, tipo de cambio, hasta la fecha, huelga*, tráfico`,
  social: `tuit*, tweet*, twitter, post, posts, publicación*, publicaciones, linkedin, instagram, facebook, tiktok, threads, hilo*, pie de foto,
    caption*, hashtag*, seguidores*, seguidor*, engagement, interacción, viral*, influencer*, redes sociales, red social, reels, reel, historia,
    historias, stories, bio, biografía, perfil*, calendario de contenidos, reddit, pinterest, mastodon, bluesky, emoji*, gancho*, comentario*,
    audiencia, sorteo*, carrusel*, comunidad, me gusta`,
  email: `correo*, correo electrónico, e-mail*, email*, mail, bandeja de entrada, asunto*, línea de asunto, estimad*, atentamente, saludos, responde
    a, respuesta a, responder, seguimiento, cc, boletín, newsletter*, correo en frío, destinatari*, firma, fuera de la oficina, ausencia, archivo
    adjunto, gmail, outlook, reenvía*, darse de baja, disculpa*, disculparme, cortés*, educad*, amable*, amablemente, queja*, reclamación*,
    renuncia*, dimisión, recordatorio de pago, factura, casero, jefe, jefa, profesor*, cliente*, clienta, sin leer, remitente*, carta a, rechaza*,
    agradec*`,
  calendar: `agenda*, agendar, programa una, programa, programar, reprograma*, calendario, reunión*, reuniones, cita*, invitación*, invita*,
    disponibilidad*, hueco*, franja*, reserva*, reservar, recuérdame, recuerda*, recordatorio*, evento*, orden del día, semanal*, cada lunes,
    recurrente*, bloquea*, bloquear, zona horaria, husos, plazo*, conflicto*, mueve, mover, aplaza*, pospón, posponer, cancela*, cancelar, dentista,
    médico, entrevista, llamada con, mi día, libre*, cuándo estoy, vacaciones, almuerzo con, comida con, cena con, añade, apunta, organiza*, todo el
    día`,
  clock: `lunes, martes, miércoles, jueves, viernes, sábado*, domingo*, mañana, pasado mañana, próxima semana, semana que viene, próximo, tarde, noche,
    mediodía, medianoche, hora, horas, minutos, media hora, enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre,
    noviembre, diciembre, utc, a las`,
  trading: `acción, acciones, bolsa*, cotización*, trading, trader*, cartera*, portafolio*, etf*, cripto*, bitcoin*, ethereum, forex, divisas, futuros,
    opcion*, opción*, call, put, strike, apalanca*, margen, venta en corto, en corto, alcista*, bajista*, rsi, macd, media móvil, medias móviles,
    bollinger, velas, vela, soporte*, resistencia*, stop-loss, stop loss, backtest*, sharpe, drawdown, volatilidad*, dividendo*, rendimiento*,
    rentabilidad*, bono*, sobrevalorad*, infravalorad*, ibex, nasdaq, s&p, índice*, bróker*, broker*, libro de órdenes, orden límite, tamaño de
    la posición, señal de compra, señal de venta, comprar o vender, vender, punto de entrada, invertir, inversión*, inversor*, asignación*,
    rebalance*, materias primas, oro, petróleo, day trading, arbitraje, cobertura, cubrir, curva de tipos, mercado*, valores`,
  make: `crea, créame, crear, haz, hazme, hacer, genera*, generar, produce, construye, diseña*, diseñar, añade, quita*, elimina*, edita*, cambia*`,
}
