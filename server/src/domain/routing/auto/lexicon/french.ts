import type { Lexicon } from './concepts.ts'

export const french: Lexicon = {
  greeting: `bonjour, bonsoir, salut, coucou, merci, merci beaucoup, au revoir, bonne nuit, bonne journée, ça va, comment vas-tu, comment
    allez-vous, à bientôt, oui, non, d'accord, super, parfait, tu es là, enchanté, ok`,
  fact: `quelle est la capitale, capitale de, capitale du, qui était, qui est, qui a, quand a, quand est, où se trouve, où est, combien de,
    combien font, combien, quelle hauteur, quel âge, que signifie, que veut dire, signification, définition, définis, synonyme*,
    antonyme*, contraire, pluriel, traduis, traduire, traduction, en anglais, en espagnol, en allemand, en français, un mot, en un mot, oui
    ou non, comment dit-on, comment s'écrit, quelle couleur, quelle planète, quelle année, en quelle année, plus grand*, plus long, plus
    petit*, abréviation, qu'est-ce que, qu'est-ce qu'un, c'est quoi, cite, monnaie, convertis, pour cent de, fois, divisé, vrai ou faux`,
  explain: `explique*, expliquer, expliquez, différence*, résume*, résumer, résumé, reformule*, reformuler, réécris, relis, corrige, conseils,
    conseil, suggère*, suggérer, recommande*, idées, comment puis-je, comment faire, comment fonctionne, comment, pourquoi, avantages,
    inconvénients, recette*, cuisine*, donne-moi, aide-moi, paragraphe, termes simples, simplement, débutant*, aperçu, améliore*,
    améliorer, nouvelle, histoire courte, poème, lettre de motivation, description de produit, fiche produit, guide, programme
    d'entraînement, liste de, apprendre, étapes, exemples, que faire, présentation, itinéraire, plus formel*, plus court, discours,
    habitudes, préparer, astuces`,
  compose: `écris, écrire, écrivez, rédige*, rédiger, compose, propose`,
  depth: `exhaustif*, exhaustive*, complet, complète, approfondi*, détaillé*, stratégi*, architectur*, compromis, feuille de route, cadre*,
    implication*, conséquence*, évalue*, évaluation*, critique*, migration*, parties prenantes, politique*, rapport*, livre blanc, mémoire,
    thèse, dissertation, essai, revue de littérature, plan d'affaires, business plan, pluriannuel*, risque*, mesures, gouvernance,
    réglement*, conformité, juridique*, rgpd, contrat*, clause*, analyse*, analyser, compare*, comparer, comparaison, scénario*, économi*,
    géopoliti*, distribué*, infrastructure*, programme scolaire, proposition, budget*, calendrier de déploiement, indicateurs,
    restructur*, acquisition*, fusion*, chaîne d'approvisionnement, durable*, durabilité, éthi*, philosoph*, perspective*, en tenant
    compte, tenant compte, prenant en compte, y compris, incluant, long terme, faisabilité, méthodolog*, transition*, transformation*,
    société*, sections, enjeux, quinquennal*, argument*, nuancé*`,
  proof: `démontre*, démontrer, démontrez, prouve*, prouver, preuve*, théorème*, lemme, dérive*, déduis*, déduire, déduction, énigme*, devinette*,
    logique*, paradoxe*, étape par étape, pas à pas, intégrale*, dérivée*, équation*, résous, résoudre, probabilité*, espérance, entier*,
    nombre premier, nombres premiers, divisible*, récurrence, absurde, contradiction, irrationnel*, converge*, limite, suite, série, matrice*,
    valeurs propres, déterminant, polynôme*, combinatoire, menteur*, menteurs, chevalier*, pesée*, pesées, balance, pièces, pièce,
    urne, boules, billes, stratégie optimale, nombre minimal, combien de façons, théorie des jeux, bayes*, si et seulement si, valide*,
    prémisse*, syllogisme*, sophisme, contre-exemple, triangle*, cercle*, angle*, vitesse*, accélération, train part, trains, plus âgé, âge
    de, double de, rivière, prisonnier*, chapeaux, montre que, montrer que, montrez, justifie, raisonne*, raisonnement, reste de,
    factorielle, robinet*, trouve tous`,
  code: `code*, coder, fonction*, python, javascript, typescript, java, rust, golang, c++, script*, regex, expression régulière, expression
    rationnelle, bug*, bogue*, débogue*, déboguer, erreur*, compile*, compilateur, exception*, pile d'appels, refactor*, test unitaire,
    tests unitaires, api, endpoint, react, vue, django, flask, symfony, laravel, php, docker*, kubernetes, git, commit*, classe*, méthode*,
    async, thread*, fuite mémoire, algorithme*, liste chaînée, dictionnaire, tableau javascript, boucle*, récursi*, variable*, css, html,
    composant*, middleware, programme*, programmation, implémente*, implémenter, bibliothèque*, module*, paquet, pointeur*, interface*, tri,
    recherche dichotomique, parseur, json, yaml, websocket*, bash, ligne de commande, conflit de fusion, dépendance*, arbre binaire, requête
    http`,
  picture: `image*, photo*, illustration*, dessin*, peinture*, tableau, logo*, icône*, affiche*, fond d'écran, portrait*, autocollant*, bannière*,
    couverture*, pochette*, avatar*, mascotte*, infographie, carte postale, fresque, emblème, bande dessinée, coloriage*, paysage*,
    aquarelle*, visuel*`,
  draw: `dessine*, dessiner, peins, peindre, esquisse*, illustre*, aquarelle*, peinture à l'huile, photoréaliste*, pixel art, dans le style,
    style, dessin animé, manga, cyberpunk, minimaliste*, vectoriel*, haute résolution, isométrique*, pastel*, surréaliste*, néon*,
    arrière-plan, fond transparent, fond, art numérique, impressionniste*, image d'un, image d'une, image de, photo d'un, logo pour, coucher
    de soleil, brume, lumière, noir et blanc`,
  look: `ci-joint*, ci-jointe, pièce jointe, cette image, cette photo, ce dessin, ce graphique, ce schéma, ce diagramme, cette capture, capture
    d'écran, captures, sur l'image, sur la photo, dans l'image, dans la photo, l'image, la photo, téléchargé*, téléversé*, que vois-tu,
    que voyez-vous, vois-tu, voit-on, visible*, lis le texte, lis, transcris*, manuscrit*, écriture, texte alternatif, identifie*, quelle
    race, quelle plante, quel champignon, cette plante, ce ticket, ce reçu, radiographie, ce tableau, ce plan, scanné*, compte les, voici une
    photo, tableau blanc, ce mème, panneau, étiquette, objets`,
  video: `vidéo*, clip*, animation*, anime, animer, bande-annonce*, caméra*, drone*, ralenti*, accéléré*, time-lapse, timelapse, storyboard*,
    secondes, sous-titre*, film*, scène*, scénario vidéo, script vidéo, plan aérien, vue aérienne, travelling*, stop motion, gif,
    enregistrement, montage, intro, publicité, spot, court métrage, court-métrage, youtube, plan séquence, boucle, zoom*, voix off, séquence*`,
  data: `csv, tableau, tableaux, colonne*, ligne, lignes, jeu de données, données, excel, tableur, tableau croisé, recherchev, moyenne*,
    médiane*, écart-type, écart type, corrélation*, régression*, statistique*, agrège*, groupe par, regroupe*, somme*, total, histogramme*,
    diagramme en, graphique, valeurs aberrantes, valeurs manquantes, doublons, nettoie*, nettoyer, normalise*, extrais*, extraire, en json,
    json, sql, requête*, base de données, enregistrements, champs, pourcentage*, tendance*, prévision*, prévoir, chiffre d'affaires, ventes,
    par région, par mois, trimestre*, sondage*, enquête*, échantillon*, intervalle de confiance, variance, nombre de, formule*, classe ces,
    classe, catégorise*, catégorie*, mensuel*, journal, pandas, dataframe, taux`,
  web: `cherche*, chercher, recherche*, rechercher, sur internet, sur le web, google, trouve*, trouver, sources, avec des sources, liens, en
    ligne, site*, wikipédia, vérifie*, près de chez moi, près de moi, à proximité, où acheter, où puis-je, moins cher*, horaires, ouvert*,
    compare les prix, article*, publié*, publiés, qui a gagné, a gagné, date de sortie, avis, disponible*, consulte*`,
  recent: `dernier*, dernière*, dernières, récent*, actuel*, actuellement, aujourd'hui, ce soir, en ce moment, cette semaine, ce mois, cette
    année, hier, semaine dernière, actualité*, nouvelles, infos, à jour, en direct, météo, temps qu'il fait, quel temps, 2025, 2026, 2027, encore,
    maintenant, annoncé*, prochain*, week-end, score*, élection*, taux de change, à ce jour, grève*, trafic`,
  social: `tweet*, twitter, post, posts, publication*, linkedin, instagram, facebook, tiktok, threads, thread, fil twitter, légende*, hashtag*,
    abonnés, abonné*, engagement, viral*, influenceu*, réseaux sociaux, réseau social, reels, reel, story, stories, bio, profil*, calendrier
    éditorial, reddit, pinterest, mastodon, bluesky, emoji*, émoji*, accroche*, commentaire*, audience, concours, carrousel*, communauté,
    j'aime, partages`,
  email: `e-mail*, email*, mail, mails, courriel*, boîte de réception, objet, objets, ligne d'objet, cordialement, madame, monsieur, réponds à,
    réponse à, répondre, relance*, relancer, cc, newsletter*, infolettre, prospection, destinataire*, signature, absence, message d'absence,
    pièce jointe, gmail, outlook, transfère*, transférer, désabonn*, excuse*, excuser, poli, poliment, réclamation*, démission*, rappel de
    paiement, impayé*, propriétaire, chef, patron, professeur*, client*, cliente*, non lus, expéditeur*, lettre à, décliner, remerciement*,
    remercier`,
  calendar: `planifie*, planifier, reprogramme*, calendrier, agenda*, réunion*, rendez-vous, rdv, invitation*, invite*, disponibilité*, créneau*,
    créneaux, réserve*, réserver, rappelle-moi, rappelle*, rappel, événement*, ordre du jour, hebdomadaire*, chaque lundi, récurrent*,
    bloque*, bloquer, fuseau*, échéance*, conflit*, décale*, décaler, reporte*, reporter, annule*, annuler, déplace*, dentiste, médecin,
    entretien, appel avec, point avec, ma journée, libre, quand suis-je, congé*, vacances, déjeuner avec, dîner avec, ajoute à,
    organise*, journée entière`,
  clock: `lundi*, mardi*, mercredi*, jeudi*, vendredi*, samedi*, dimanche*, demain, après-demain, semaine prochaine, mois prochain, prochain, matin,
    après-midi, soir, midi, minuit, heure*, minutes, demi-heure, janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre,
    novembre, décembre, utc, jours ouvrés`,
  trading: `action, actions, bourse*, cours de, cours, trading, trader*, portefeuille*, etf*, crypto*, bitcoin*, ethereum, forex, devises, futures,
    contrats à terme, option*, call, put, strike, effet de levier, levier, marge, vente à découvert, haussier*, baissier*, rsi, macd, moyenne
    mobile, moyennes mobiles, bollinger, chandelier*, support, supports, résistance*, stop-loss, stop loss, backtest*, sharpe, drawdown,
    volatilité*, dividende*, rendement*, obligation*, surévalué*, sous-évalué*, cac 40, cac, nasdaq, s&p, indice*, courtier*, carnet
    d'ordres, ordre limite, taille de position, signal d'achat, signal de vente, acheter ou vendre, vendre, point d'entrée, investir,
    investiss*, allocation*, rééquilibr*, matières premières, pétrole, day trading, arbitrage, couverture, couvrir, taux d'intérêt, titre*,
    marchés`,
  make: `crée*, créer, fais, faire, génère*, générer, produis, construis, conçois, concevoir, ajoute*, enlève*, supprime*, modifie*, change`,
}
